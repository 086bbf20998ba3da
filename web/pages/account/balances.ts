import type { Transaction } from "../../api/types.ts";

/** The balance of an account after a transaction. */
export interface Balance {
  readonly at: number;
  readonly value: bigint;
}

type Changed = Pick<Transaction, "now" | "lt"> & {
  readonly [state in "account_state_before" | "account_state_after"]: { readonly balance: string | null };
};

/**
 * Balances over time, oldest first: before the oldest transaction and after each. The index has states of the ends of
 * blocks only.
 */
export function listBalances(transactions: readonly Changed[]): readonly Balance[] {
  const sorted = [...transactions].sort((a, b) => (BigInt(a.lt) < BigInt(b.lt) ? -1 : 1));
  const [first] = sorted;
  const before = first?.account_state_before.balance ?? null;
  return [
    ...(first === undefined || before === null ? [] : [{ at: first.now, value: BigInt(before) }]),
    ...sorted.flatMap(({ now, account_state_after: { balance } }) =>
      balance === null ? [] : [{ at: now, value: BigInt(balance) }],
    ),
  ];
}

/** A line of steps through balances up to a time; amounts between the least and the largest fill the height. */
export function drawBalances(balances: readonly Balance[], end: number, width: number, height: number): string {
  const [first] = balances;
  if (first === undefined) return "";
  const values = balances.map(({ value }) => value);
  const least = values.reduce((a, b) => (a < b ? a : b));
  const range = values.reduce((a, b) => (a > b ? a : b)) - least;
  const span = Math.max(1, end - first.at);
  const x = (at: number) => (Math.min(1, (at - first.at) / span) * width).toFixed(1);
  const y = (value: bigint) =>
    (height - 4 - (range === 0n ? 0.5 : Number(((value - least) * 1_000n) / range) / 1_000) * (height - 8)).toFixed(1);
  const steps = balances.slice(1).map(({ at, value }) => `H${x(at)}V${y(value)}`);
  return `M0 ${y(first.value)}${steps.join("")}H${width}`;
}
