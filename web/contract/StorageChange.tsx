import { postV3, v2 } from "../api/ask.ts";
import type { Transaction } from "../api/types.ts";
import { useAsk } from "../api/useAsk.ts";
import { humanize } from "../format/names.ts";
import { Value } from "../parts/Decoded.tsx";
import { Await, Empty, Panel } from "../parts/Panel.tsx";
import { Table } from "../parts/Table.tsx";
import { type Change, listChanges } from "./difference.ts";

interface Props {
  readonly address: string;
  /** Masterchain blocks whose states are compared. */
  readonly from: number;
  readonly to: number;
  /** The transaction that made the change, if it is asked for one. */
  readonly by?: Pick<Transaction, "hash" | "prev_trans_hash">;
}

/** What differs in the data of a contract between two masterchain blocks, by the names of its ABI. */
export function StorageChange({ address, from, to, by }: Props) {
  const asks = [from, to].map((seqno) => v2("getAddressInformation", { address, seqno }));
  const [before, after] = [useAsk(asks[0]), useAsk(asks[1])];
  const bags = [before, after].flatMap((state) => (state.kind === "ok" ? [state.data.data] : []));
  const given = bags.filter((bag) => bag !== "");
  const askNames =
    bags.length === 2 && given.length > 0 ? postV3("decodeContract", { address, storage: given }) : undefined;
  const named = useAsk(askNames);
  const met = [before, after].map((state) => (state.kind === "ok" ? state.data.last_transaction_id.hash : undefined));
  const isAlone = by === undefined || !isDifferent(met, [by.prev_trans_hash, by.hash]);
  return (
    <Panel
      title="What changed in the data"
      from={[...asks, askNames]}
      note={`Between masterchain blocks ${from} and ${to}.${isAlone ? "" : " Other transactions of the account in the block count, too: the chain keeps no state between them."}`}
    >
      {before.kind !== "ok" && <Await of={before}>{() => null}</Await>}
      {before.kind === "ok" && after.kind !== "ok" && <Await of={after}>{() => null}</Await>}
      {bags.length === 2 && given.length === 0 && <Empty>The account had no data.</Empty>}
      <Await of={named}>
        {({ storage }) => {
          const fields = bags.map((bag) => (bag === "" ? {} : storage[given.indexOf(bag)]?.fields));
          return <Difference before={fields[0]} after={fields[1]} isSame={bags[0] === bags[1]} />;
        }}
      </Await>
    </Panel>
  );
}

/** Whether a state that has come belongs to another transaction. */
function isDifferent(met: readonly (string | undefined)[], wanted: readonly string[]): boolean {
  return met.some((hash, at) => hash !== undefined && hash !== wanted[at]);
}

interface DifferenceProps {
  readonly before: unknown;
  readonly after: unknown;
  readonly isSame: boolean;
}

function Difference({ before, after, isSame }: DifferenceProps) {
  if (isSame) return <Empty>The data did not change.</Empty>;
  if (before === undefined || after === undefined)
    return <Empty>The data changed, but no ABI of this contract describes it.</Empty>;
  const changes = listChanges(before, after);
  return (
    <Table title="Changes of the data" columns={["Field", "Before", "After"]}>
      {changes.map((change) => (
        <Row key={change.path.join("\n")} change={change} />
      ))}
    </Table>
  );
}

function Row({ change: { path, before, after } }: { readonly change: Change }) {
  return (
    <tr>
      <th scope="row">
        <bdi>{path.map(humanize).join(" › ").slice(0, 200)}</bdi>
      </th>
      <td data-label="Before">
        <Value value={before} depth={1} />
      </td>
      <td data-label="After">
        <Value value={after} depth={1} />
      </td>
    </tr>
  );
}
