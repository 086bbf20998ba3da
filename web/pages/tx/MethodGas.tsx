import { askContract } from "../../api/contract.ts";
import { useAsk } from "../../api/useAsk.ts";
import { formatCount } from "../../format/coins.ts";
import { ShareBar } from "../../parts/ShareBar.tsx";
import type { Replayed } from "./Steps.tsx";

/** Numbers that the chain calls; negative ones are also written in 19 bits. */
const receivers: Readonly<Record<number, string>> = {
  0: "internal messages",
  [-1]: "external messages",
  [-2]: "tick-tock",
};

interface Props {
  readonly account: string;
  readonly replayed: Replayed;
}

/** The gas of a run as bars, one for each method whose code ran. */
export function MethodGas({ account, replayed }: Props) {
  const named = useAsk(askContract(account));
  const names = new Map(named.kind === "ok" ? named.data.methods.map(({ id, name }) => [id, name]) : []);
  const { gas_used: whole, gas_by_method: methods } = replayed;
  const nameOf = (method: number | null) =>
    method === null
      ? "choice of the method, and other code"
      : (receivers[method] ?? names.get(method) ?? `method ${method}`);
  return (
    <ul class="plain" aria-label="Gas by method">
      {methods.map(({ method, gas }) => (
        <li key={method}>
          <bdi>{nameOf(method)}</bdi> <span class="number">{formatCount(gas)}</span>{" "}
          <ShareBar part={BigInt(gas)} whole={BigInt(whole)} />
        </li>
      ))}
    </ul>
  );
}
