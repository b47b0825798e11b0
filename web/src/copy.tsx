// A button that copies a text; where the clipboard is closed to the page, the text is shown, selected.
import { useEffect, useRef, useState } from "preact/hooks";

export function Copy({ label, text }: { label: string; text: () => string }) {
  const [state, setState] = useState<"ready" | "copied" | "shown">("ready");
  const [shown, setShown] = useState("");
  const area = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (state === "shown") area.current?.select();
    if (state !== "copied") return undefined;
    const timer = setTimeout(() => setState("ready"), 2000);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = async () => {
    const value = text();
    try {
      await navigator.clipboard.writeText(value);
      setState("copied");
    } catch {
      setShown(value);
      setState("shown");
    }
  };
  return (
    <span class="copy">
      <button type="button" onClick={copy}>
        {state === "copied" ? "Copied" : label}
      </button>
      <span class="unseen" role="status">
        {state === "copied" ? "Copied" : ""}
      </span>
      {state === "shown" && (
        <span class="shown">
          <textarea ref={area} readOnly rows={4} value={shown} aria-label={`${label}: the text, to be copied by hand`} />
          <button type="button" onClick={() => setState("ready")}>
            Close
          </button>
        </span>
      )}
    </span>
  );
}
