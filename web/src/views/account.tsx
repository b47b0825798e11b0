// A game in words, as the program tells it: how it ended is shown, the rest is opened.
import { Foreign, SENTENCE_LENGTH } from "../text";
import type { Account, Told } from "../types";

/** Longest sentence that is shown whole. */
const MOST = 4 * SENTENCE_LENGTH;

function Lines({ told }: { told: Told }) {
  return (
    <ul>
      {told.lines.map((line, index) => (
        <li key={index}>
          <Foreign text={line.trim()} most={MOST} />
        </li>
      ))}
    </ul>
  );
}

export function AccountOfGame({ account }: { account: Account }) {
  if (account.account.length === 0) return null;
  return (
    <section class="account">
      <h2>The game in words</h2>
      {account.account.map((told, index) => (
        <details key={index} open={told.title.startsWith("How it ended")}>
          <summary>
            <Foreign text={told.title} />
          </summary>
          <Lines told={told} />
        </details>
      ))}
    </section>
  );
}
