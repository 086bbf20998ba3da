import { v3 } from "../api/ask.ts";
import { useAsk } from "../api/useAsk.ts";
import { AddressLink } from "../parts/AddressLink.tsx";
import { More } from "../parts/More.tsx";
import { Await, Empty, Panel } from "../parts/Panel.tsx";
import { Coins, TokenAmount } from "../parts/values.tsx";

interface Row {
  readonly account: string;
  /** The jetton; undefined for coins. */
  readonly asset: string | undefined;
  readonly amount: bigint;
  readonly fees: bigint;
}

interface Changes {
  readonly changes: Readonly<Record<string, string | number | bigint>>;
  readonly fees: Readonly<Record<string, string | number | bigint>>;
  readonly jettons: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

function makeRows({ changes, fees, jettons }: Changes): Row[] {
  const coins = Object.entries(changes).map(([account, amount]): Row => {
    return { account, asset: undefined, amount: BigInt(amount), fees: BigInt(fees[account] ?? 0) };
  });
  const tokens = Object.entries(jettons).flatMap(([account, byAsset]) =>
    Object.entries(byAsset).map(([asset, amount]): Row => ({ account, asset, amount: BigInt(amount), fees: 0n })),
  );
  return [...coins, ...tokens].filter(({ amount, fees: paid }) => amount !== 0n || paid !== 0n);
}

/** Gains and losses of accounts in a trace. */
export function ValueFlow({ traceId }: { readonly traceId: string }) {
  const ask = v3("balanceChanges", { trace_id: traceId });
  const loaded = useAsk(ask);
  return (
    <Panel
      title="Value flow"
      from={[ask]}
      note="Gains and losses of every account. With the fees, each asset sums to zero."
    >
      <Await of={loaded}>{(data) => <FlowTable rows={makeRows(data)} />}</Await>
    </Panel>
  );
}

function FlowTable({ rows }: { readonly rows: readonly Row[] }) {
  if (rows.length === 0) return <Empty>No value moved.</Empty>;
  const max = new Map<string, bigint>();
  for (const { asset = "", amount } of rows) {
    const size = amount < 0n ? -amount : amount;
    if (size > (max.get(asset) ?? 0n)) max.set(asset, size);
  }
  return (
    <More items={rows} step={30}>
      {(shown) => <FlowRows shown={shown} max={max} />}
    </More>
  );
}

interface RowsProps {
  readonly shown: readonly Row[];
  readonly max: ReadonlyMap<string, bigint>;
}

function FlowRows({ shown, max }: RowsProps) {
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="Value flow">
      <table class="stacked">
        <thead>
          <tr>
            <th scope="col">Account</th>
            <th scope="col" class="right">
              Change
            </th>
            <th scope="col" class="wide">
              <span class="hidden">Picture of the change</span>
            </th>
            <th scope="col" class="right">
              Fees paid
            </th>
          </tr>
        </thead>
        <tbody>
          {shown.map(({ account, asset, amount, fees }) => (
            <tr key={`${account} ${asset}`}>
              <td data-label="Account">
                <AddressLink address={account} />
              </td>
              <td class="right" data-label="Change">
                <TokenAmount value={String(amount)} asset={asset} isSigned />
              </td>
              <td class="wide">
                <FlowBar amount={amount} max={max.get(asset ?? "") ?? 1n} />
              </td>
              <td class="right" data-label="Fees paid">
                {asset === undefined && <Coins value={fees} />}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function FlowBar({ amount, max }: { readonly amount: bigint; readonly max: bigint }) {
  const size = max === 0n ? 0 : Number(((amount < 0n ? -amount : amount) * 100n) / max) / 2;
  return (
    <svg class="flow" viewBox="0 0 100 10" aria-hidden="true" preserveAspectRatio="none">
      <path class="grid" d="M50 0V10" />
      <rect class={amount < 0n ? "loss" : "gain"} x={amount < 0n ? 50 - size : 50} y="2" width={size} height="6" />
    </svg>
  );
}
