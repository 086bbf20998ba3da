import { v3 } from "../api/ask.ts";
import { useAsk } from "../api/useAsk.ts";
import { CellTree } from "../parts/CellTree.tsx";
import { Await, Empty, Panel } from "../parts/Panel.tsx";

interface Props {
  readonly address: string;
  /** Changes when there may be new data. */
  readonly version: number;
}

/** The code of a contract, as cells. */
export function CodeTab({ address, version }: Props) {
  const ask = v3("accountStates", { address: [address], include_boc: true });
  const loaded = useAsk(ask, version);
  return (
    <Await of={loaded}>
      {({ accounts: [account] }) => (
        <Panel title="Code" from={[ask]} note="What the contract does, as compiled for the TON virtual machine.">
          {account?.code_boc === undefined ? <Empty>None.</Empty> : <CellTree boc={account.code_boc} />}
        </Panel>
      )}
    </Await>
  );
}
