// The line that an engine expected: each move shows its position on the board while it is pointed at, or has the focus.
import { Fragment } from "preact";
import { useRef } from "preact/hooks";
import { numberOf, type Position } from "../replay";

/** A position of a line, and whose line it is. */
export interface Tried {
  position: Position;
  by: "White" | "Black";
}

interface LineProps {
  by: "White" | "Black";
  line: Position[];
  onTry: (tried: Tried | null) => void;
}

export function Line({ by, line, onTry }: LineProps) {
  const group = useRef<HTMLDivElement>(null);
  /** The arrows go along the line, and not through the game. */
  const along = (event: KeyboardEvent) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
    const all = [...(group.current?.querySelectorAll("button") ?? [])];
    all[all.indexOf(event.target as HTMLButtonElement) + step]?.focus();
    event.preventDefault();
  };
  return (
    <div class="pv" ref={group} role="group" aria-label={`What ${by} expected`} onKeyDown={along}>
      {line.map((position, index) => {
        const tried = () => onTry({ position, by });
        const leave = () => onTry(null);
        const number = numberOf(position, index === 0);
        return (
          <Fragment key={index}>
            <span>
              {number}
              {number === "" ? "" : "\u00a0"}
              <button type="button" class="step" tabIndex={index === 0 ? 0 : -1} onFocus={tried} onBlur={leave} onClick={tried}
                onPointerEnter={(event) => event.pointerType !== "touch" && tried()} onPointerLeave={(event) => event.pointerType !== "touch" && leave()}>
                {position.san}
              </button>
            </span>{" "}
          </Fragment>
        );
      })}
    </div>
  );
}
