// What a player asked over the network, and what came of it.
import { plain } from "../text";
import type { Asked } from "../types";

const SHOWN = { none: "none", one: "one, as an example", all: "all" };

export function AskedByAgent({ asked }: { asked: Asked }) {
  const facts: [name: string, value: string][] = [
    ["Calls", String(asked.calls)],
    ["Tokens in", asked.tokens_in],
    ["Tokens out", asked.tokens_out],
    ["Cost", asked.cost],
    ["Cost by game won", asked.cost_a_win],
    ["Legal %", asked.legal_share],
    ["Score %", asked.score],
    ["Score % without faults", asked.score_without_faults],
    ["Legal moves in the prompt", asked.legal_moves === null ? "–" : SHOWN[asked.legal_moves]],
    ["Constrained answers", asked.constrained ? "yes" : "no"],
  ];
  return (
    <article class="asked">
      <h2>Asked over the network</h2>
      <dl class="facts">
        {facts.filter(([, value]) => value !== "").map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{plain(value, 60)}</dd>
          </div>
        ))}
      </dl>
      <p class="note">
        Legal %: of all attempts, those that gave a legal move in time. Score % without faults: of the games that were not lost by a fault
        of this agent. In brackets 95 % intervals. With a +: at least so many; –: unknown.
      </p>
    </article>
  );
}
