import { v3 } from "../api/ask.ts";
import { askContract } from "../api/contract.ts";
import { useAsk } from "../api/useAsk.ts";
import { CellTree } from "../parts/CellTree.tsx";
import { Await, Empty, Facts, Panel } from "../parts/Panel.tsx";
import { HashText } from "../parts/values.tsx";
import { Disassembly } from "./Disassembly.tsx";
import { Holders } from "./Holders.tsx";
import { findMethodName } from "./knownMethods.ts";
import { SourcePanel } from "./SourcePanel.tsx";

interface Props {
  readonly address: string;
  /** Changes when there may be new data. */
  readonly version: number;
}

/** What ids mean that the network calls; negative ones stand in 19 bits. */
const receivers: Readonly<Record<number, string>> = {
  0: "internal messages",
  524287: "external messages",
  524286: "tick-tock",
};

/** The code of a contract: its hash and methods, who else has it, its instructions, and its cells. */
export function CodeTab({ address, version }: Props) {
  const ask = v3("accountStates", { address: [address], include_boc: true });
  const loaded = useAsk(ask, version);
  const askNamed = askContract(address);
  const named = useAsk(askNamed);
  const names = new Map(named.kind === "ok" ? named.data.methods.map(({ id, name }) => [id, name]) : []);
  const nameMethod = (id: number) => receivers[id] ?? names.get(id) ?? findMethodName(id);
  return (
    <Await of={loaded}>
      {({ accounts: [account] }) => {
        const { code_hash: hash, code_boc: boc, contract_methods: methods } = account ?? {};
        if (hash === undefined || boc === undefined) {
          return (
            <Panel title="Code" from={[ask]}>
              <Empty>None.</Empty>
            </Panel>
          );
        }
        return (
          <>
            <Panel
              title="Code"
              from={[ask, askNamed]}
              note="What the contract does, as compiled for the TON virtual machine."
            >
              <Facts
                facts={[
                  [
                    "Hash",
                    <HashText key="hash" hash={hash} isFull />,
                    "Contracts with the same hash run the same code",
                  ],
                  ["Methods", <Methods key="methods" ids={methods ?? []} nameMethod={nameMethod} />],
                ]}
              />
              <details>
                <summary>Cells</summary>
                <CellTree boc={boc} />
              </details>
            </Panel>
            {named.kind === "ok" && named.data.source !== null && <SourcePanel address={address} />}
            <Holders address={address} />
            <Disassembly boc={boc} nameMethod={nameMethod} from={ask} />
          </>
        );
      }}
    </Await>
  );
}

interface MethodsProps {
  readonly ids: readonly number[];
  readonly nameMethod: (id: number) => string | undefined;
}

function Methods({ ids, nameMethod }: MethodsProps) {
  if (ids.length === 0) return <span class="muted">the code has no usual table of methods</span>;
  return (
    <ul class="plain">
      {ids.map((id) => {
        const name = nameMethod(id);
        return (
          <li key={id}>
            {name === undefined ? <span class="muted">unknown</span> : <bdi>{name}</bdi>}{" "}
            <code class="muted">{id}</code>
          </li>
        );
      })}
    </ul>
  );
}
