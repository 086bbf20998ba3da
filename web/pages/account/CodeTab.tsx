import { v3 } from "../../api/ask.ts";
import { useAsk } from "../../api/useAsk.ts";
import { CellTree } from "../../parts/CellTree.tsx";
import { Await, Empty, Panel } from "../../parts/Panel.tsx";
import type { TabProps } from "./lists.tsx";

/** The code and data of a contract, as cells. */
export function CodeTab({ address, version }: TabProps) {
  const ask = v3("accountStates", { address: [address], include_boc: true });
  const loaded = useAsk(ask, version);
  return (
    <Await of={loaded}>
      {({ accounts: [account] }) => (
        <>
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
