import { useState } from "preact/hooks";
import { v3 } from "../api/ask.ts";
import { askContract } from "../api/contract.ts";
import type { Transaction } from "../api/types.ts";
import { useAsk } from "../api/useAsk.ts";
import { formatMoment } from "../format/time.ts";
import { CellTree } from "../parts/CellTree.tsx";
import { Decoded } from "../parts/Decoded.tsx";
import { Await, Empty, Panel } from "../parts/Panel.tsx";
import { listStates } from "./difference.ts";
import { StorageChange } from "./StorageChange.tsx";

interface Props {
  readonly address: string;
  /** Changes when there may be new data. */
  readonly version: number;
}

/** The data of a contract: by names, what changed in it, and as cells. */
export function StorageTab({ address, version }: Props) {
  const ask = v3("accountStates", { address: [address], include_boc: true });
  const loaded = useAsk(ask, version);
  const askNamed = askContract(address);
  const named = useAsk(askNamed, version);
  const storage = named.kind === "ok" ? named.data.storage : null;
  return (
    <>
      {storage !== null && (
        <Panel title="Storage" from={[askNamed]} note={`The data by the names of ${storage.abi}.`}>
          <Decoded value={storage.fields} />
        </Panel>
      )}
      <Compare address={address} version={version} />
      <Panel title="Data" from={[ask]} note="What the contract remembers, as cells.">
        <Await of={loaded}>
          {({ accounts: [account] }) =>
            account?.data_boc === undefined ? <Empty>None.</Empty> : <CellTree boc={account.data_boc} />
          }
        </Await>
      </Panel>
    </>
  );
}

/** Two transactions, of which the states after them are compared. */
function Compare({ address, version }: Props) {
  const ask = v3("transactions", { account: [address], limit: 50 });
  const loaded = useAsk(ask, version);
  const states = loaded.kind === "ok" ? listStates(loaded.data.transactions) : [];
  const [older, setOlder] = useState<number>();
  const [newer, setNewer] = useState<number>();
  const [compared, setCompared] = useState<readonly [from: number, to: number]>();
  const [last, previous] = states;
  if (last === undefined || previous === undefined) return null;
  const [from, to] = [older ?? previous.mc_block_seqno, newer ?? last.mc_block_seqno];
  return (
    <>
      <Panel title="Compare" from={[ask]} note="The data after one transaction with the data after another.">
        <form
          class="line"
          onSubmit={(event) => {
            event.preventDefault();
            setCompared([from, to]);
          }}
        >
          <Choice label="From the data after" states={states} value={from} onChange={setOlder} />
          <Choice label="to the data after" states={states} value={to} onChange={setNewer} />
          <button type="submit" class="primary" disabled={from === to}>
            Compare
          </button>
        </form>
      </Panel>
      {compared !== undefined && <StorageChange address={address} from={compared[0]} to={compared[1]} />}
    </>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly states: readonly Transaction[];
  readonly value: number;
  readonly onChange: (seqno: number) => void;
}

function Choice({ label, states, value, onChange }: ChoiceProps) {
  return (
    <label class="field">
      {label}
      <select value={value} onChange={({ currentTarget }) => onChange(Number(currentTarget.value))}>
        {states.map(({ hash, now, mc_block_seqno: seqno }) => (
          <option key={hash} value={seqno}>
            {formatMoment(now)}, block {seqno}
          </option>
        ))}
      </select>
    </label>
  );
}
