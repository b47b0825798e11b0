// How views follow what is live.
import { useEffect, useRef, useState } from "preact/hooks";
import type { Store } from "./store";

/** What `read` finds in the store; the view is drawn again when that is another thing. */
export function useLive<T>(store: Store, read: () => T): T {
  const [, redraw] = useState(0);
  const reader = useRef(read);
  reader.current = read;
  const value = read();
  const shown = useRef(value);
  shown.current = value;
  useEffect(() => {
    const look = () => {
      if (reader.current() !== shown.current) redraw((count) => count + 1);
    };
    look();
    return store.subscribe(look);
  }, [store]);
  return value;
}
