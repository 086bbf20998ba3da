import { useState } from "preact/hooks";
import { type Ask, postV3 } from "../api/ask.ts";
import { askContract, type ContractMethods, type NamedType } from "../api/contract.ts";
import type { Account } from "../api/types.ts";
import { type Loaded, useAsk } from "../api/useAsk.ts";
import { Field } from "../pages/local/fields.tsx";
import { friendlyOf } from "../parts/AddressLink.tsx";
import { Copy } from "../parts/Copy.tsx";
import { Empty, Panel } from "../parts/Panel.tsx";
import { findMethodName } from "./knownMethods.ts";
import { MethodResult } from "./MethodResult.tsx";
import { StackEditor } from "./StackEditor.tsx";
import { readStack, type StackRow } from "./stack.ts";
import { TypedFields } from "./TypedFields.tsx";
import { readTyped } from "./typedArgs.ts";

interface Method {
  readonly id: number;
  readonly name: string | undefined;
  /** Absent where no ABI has them. */
  readonly args: readonly NamedType[] | undefined;
}

interface MethodsProps {
  readonly address: string;
  readonly account: Account | undefined;
  /** The request that lists the methods. */
  readonly from: Ask<unknown>;
}

interface Sent {
  readonly body: Parameters<typeof postV3<"runGetMethod">>[1];
  readonly count: number;
}

/** Runs get-methods of a contract; they change nothing. */
export function MethodsTab({ address, account, from }: MethodsProps) {
  const described = useAsk(askContract(address));
  const methods = listMethods(account?.contract_methods ?? [], described);
  const [method, setMethod] = useState("");
  const [rows, setRows] = useState<readonly StackRow[]>([]);
  const [entered, setEntered] = useState<ReadonlyMap<string, string>>(new Map());
  const [block, setBlock] = useState("");
  const [sent, setSent] = useState<Sent>();
  const args = methods.find(({ id, name }) => [name, String(id)].includes(method.trim()))?.args;
  const given = args === undefined ? readStack(rows) : readTyped(args, entered);
  const ask = sent === undefined ? undefined : postV3("runGetMethod", sent.body);
  const loaded = useAsk(ask, sent?.count ?? 0);
  const wanted = method.trim();
  const isReady = typeof given !== "string" && wanted !== "" && /^\d*$/.test(block.trim());
  const run = (event: Event) => {
    event.preventDefault();
    if (typeof given === "string" || !isReady) return;
    const at = block.trim() === "" ? {} : { seqno: Number(block) };
    const called = { address: friendlyOf(address), method: wanted, ...at };
    const body = Array.isArray(given)
      ? { ...called, stack: given }
      : { ...called, stack: [], typed: true, args: given };
    setSent({ body, count: (sent?.count ?? 0) + 1 });
  };
  return (
    <Panel
      title="Methods"
      from={[from, askContract(address), ask]}
      note="Get-methods read the contract; they change and cost nothing."
    >
      <Chips methods={methods} chosen={method} onChoose={setMethod} />
      <form onSubmit={run}>
        <Field label="Method, by name or number" value={method} onChange={setMethod} placeholder="seqno" />
        {args === undefined ? (
          <StackEditor rows={rows} onChange={setRows} />
        ) : (
          <TypedFields fields={args} entered={entered} onChange={setEntered} />
        )}
        <Field label="At masterchain block" value={block} onChange={setBlock} placeholder="the newest" />
        {typeof given === "string" && (args === undefined || entered.size > 0) && <p class="failure">{given}</p>}
        <button type="submit" class="primary" disabled={!isReady}>
          Run
        </button>
      </form>
      <MethodResult address={address} loaded={loaded} />
      {sent !== undefined && <Snippet body={sent.body} />}
    </Panel>
  );
}

interface ChipsProps {
  readonly methods: readonly Method[];
  readonly chosen: string;
  readonly onChoose: (method: string) => void;
}

function Chips({ methods, chosen, onChoose }: ChipsProps) {
  if (methods.length === 0)
    return <Empty>The list of methods of this contract is not known. You can still name one.</Empty>;
  return (
    <ul class="chips">
      {methods.map(({ id, name = String(id) }) => (
        <li key={id}>
          <button type="button" aria-pressed={chosen === name} title={`method id ${id}`} onClick={() => onChoose(name)}>
            {name}
          </button>
        </li>
      ))}
    </ul>
  );
}

/** Those of the code, with the names and types of its ABIs. */
function listMethods(
  ids: readonly number[],
  described: Loaded<{ readonly methods: ContractMethods }>,
): readonly Method[] {
  const known = described.kind === "ok" ? described.data.methods : [];
  return ids
    .filter((id) => id > 0x3ff)
    .map((id) => {
      const { name, args } = known.find((each) => each.id === id) ?? {};
      return { id, name: name ?? findMethodName(id), args: args ?? undefined };
    });
}

/** The same call as program code. */
function Snippet({ body }: { readonly body: unknown }) {
  const code = [
    'import { createV3Client } from "tongate/client-v3";',
    "",
    `const client = createV3Client("${location.origin}/api/v3");`,
    `const answer = await client.runGetMethod(${JSON.stringify(body, null, 2)});`,
  ].join("\n");
  return (
    <details>
      <summary>The same in TypeScript</summary>
      <pre tabIndex={0}>{code}</pre>
      <Copy text={code} what="code" />
    </details>
  );
}
