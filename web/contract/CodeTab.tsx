import { v3 } from "../api/ask.ts";
import { askContract } from "../api/contract.ts";
import { useAsk } from "../api/useAsk.ts";
import { CellTree } from "../parts/CellTree.tsx";
import { Decoded } from "../parts/Decoded.tsx";
import { Await, Empty, Panel } from "../parts/Panel.tsx";

export interface TabProps {
  readonly address: string;
  /** Changes when there may be new data. */
  readonly version: number;
}

/** The code and data of a contract, as cells. */
export function CodeTab({ address, version }: TabProps) {
  const ask = v3("accountStates", { address: [address], include_boc: true });
  const loaded = useAsk(ask, version);
  const askNamed = askContract(address);
  const named = useAsk(askNamed, version);
  const storage = named.kind === "ok" ? named.data.storage : null;
  return (
    <Await of={loaded}>
      {({ accounts: [account] }) => (
        <>
          {storage !== null && (
            <Panel title="Storage" from={[askNamed]} note={`The data by the names of ${storage.abi}.`}>
              <Decoded value={storage.fields} />
            </Panel>
          )}
          <Panel title="Data" from={[ask]} note="What the contract remembers.">
            <Bag boc={account?.data_boc} />
          </Panel>
          <Panel title="Code" from={[ask]} note="What the contract does, as compiled for the TON virtual machine.">
            <Bag boc={account?.code_boc} />
          </Panel>
        </>
      )}
    </Await>
  );
}

function Bag({ boc }: { readonly boc: string | null | undefined }) {
  return boc === undefined || boc === null ? <Empty>None.</Empty> : <CellTree boc={boc} />;
}
