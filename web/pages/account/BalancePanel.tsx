import { v3 } from "../../api/ask.ts";
import { useAsk } from "../../api/useAsk.ts";
import { formatMoment } from "../../format/time.ts";
import { Panel } from "../../parts/Panel.tsx";
import { Coins } from "../../parts/values.tsx";
import { drawBalances, listBalances } from "./balances.ts";

const maxTransactions = 60;
const [width, height] = [600, 90];

/** The balance of an account over its newest transactions, as a picture. */
export function BalancePanel({ address, version }: { readonly address: string; readonly version: number }) {
  const ask = v3("transactions", { account: [address], limit: maxTransactions });
  const loaded = useAsk(ask, version);
  const balances = loaded.kind === "ok" ? listBalances(loaded.data.transactions) : [];
  const [first] = balances;
  const last = balances.at(-1);
  if (first === undefined || last === undefined || balances.length < 3) return null;
  // A little further than the last change: up to now, old changes would be one line at the left.
  const end = last.at + Math.max(1, (last.at - first.at) / 10);
  const values = balances.map(({ value }) => value);
  const least = values.reduce((a, b) => (a < b ? a : b));
  const most = values.reduce((a, b) => (a > b ? a : b));
  return (
    <Panel title="Balance over time" from={[ask]} note={`Over the newest ${balances.length} states of the account.`}>
      <figure class="chart">
        <svg
          class="low"
          viewBox={`0 0 ${width} ${height}`}
          role="img"
          aria-label={`Balance since ${formatMoment(first.at)}`}
          preserveAspectRatio="none"
        >
          <path class="steps-line" d={drawBalances(balances, end, width, height)} />
        </svg>
        <div class="scale">
          <span>{formatMoment(first.at).slice(0, 16)}</span>
          <span>
            from <Coins value={least} isBrief /> to <Coins value={most} isBrief />
          </span>
          <span>{formatMoment(last.at).slice(0, 16)}</span>
        </div>
      </figure>
    </Panel>
  );
}
