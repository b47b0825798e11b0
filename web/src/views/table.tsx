// Tables of the views, which scroll and sort as those of the program do.
import { useEffect, useRef } from "preact/hooks";
import { makeSortable } from "../sort";
import { makeScrollable } from "../tables";
import { played, type Wdl } from "../tally";

export type Heads = [name: string, kind: "figure" | "name" | ""][];

export function Table({ heads, tall = false, children }: { heads: Heads; tall?: boolean; children: preact.ComponentChildren }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const table = box.current?.querySelector("table");
    if (!box.current || !table) return undefined;
    makeSortable(table);
    return makeScrollable(box.current);
  }, []);
  return (
    <div class={tall ? "scroll tall" : "scroll"} ref={box}>
      <table class="data">
        <thead>
          <tr>
            {heads.map(([name, kind]) => (
              <th key={name} scope="col" class={kind}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}

/** Games in five cells. */
export function Figures({ wdl }: { wdl: Wdl }) {
  const games = played(wdl);
  const share = games === 0 ? "–" : `${((100 * (wdl.won + wdl.drawn / 2)) / games).toFixed(1)} %`;
  return (
    <>
      <td class="figure">{games}</td>
      <td class="figure">{wdl.won}</td>
      <td class="figure">{wdl.drawn}</td>
      <td class="figure">{wdl.lost}</td>
      <td class="figure">{share}</td>
    </>
  );
}
export const FIGURES: [string, "figure"][] = [
  ["Games", "figure"], ["Won", "figure"], ["Drawn", "figure"], ["Lost", "figure"], ["Score", "figure"],
];

