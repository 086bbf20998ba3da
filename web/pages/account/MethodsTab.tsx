import { useState } from "preact/hooks";
import { type Ask, postV3 } from "../../api/ask.ts";
import type { Account } from "../../api/types.ts";
import { useAsk } from "../../api/useAsk.ts";
import { crc16 } from "../../format/bytes.ts";
import { friendlyOf } from "../../parts/AddressLink.tsx";
import { Copy } from "../../parts/Copy.tsx";
import { Empty, Panel } from "../../parts/Panel.tsx";
import { knownMethods } from "./knownMethods.ts";
import { MethodResult } from "./MethodResult.tsx";
import { StackEditor } from "./StackEditor.tsx";
import { readStack, type StackRow } from "./stack.ts";

interface Method {
  readonly id: number;
  readonly name: string | undefined;
}

const names = new Map(knownMethods.map((name) => [methodId(name), name]));

/** The id of a get-method. */
function methodId(name: string): number {
  return crc16(new TextEncoder().encode(name)) | 0x10000;
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
  const methods = (account?.contract_methods ?? [])
    .filter((id) => id > 0x3ff)
    .map((id): Method => ({ id, name: names.get(id) }));
  const [method, setMethod] = useState("");
  const [rows, setRows] = useState<readonly StackRow[]>([]);
  const [sent, setSent] = useState<Sent>();
  const stack = readStack(rows);
  const ask = sent === undefined ? undefined : postV3("runGetMethod", sent.body);
  const loaded = useAsk(ask, sent?.count ?? 0);
  const wanted = method.trim();
  const run = (event: Event) => {
    event.preventDefault();
    if (typeof stack === "string" || wanted === "") return;
    setSent({ body: { address: friendlyOf(address), method: wanted, stack }, count: (sent?.count ?? 0) + 1 });
  };
  return (
    <Panel title="Methods" from={[from, ask]} note="Get-methods read the contract; they change and cost nothing.">
      {methods.length === 0 ? (
        <Empty>The list of methods of this contract is not known. You can still name one.</Empty>
      ) : (
        <ul class="chips">
          {methods.map(({ id, name }) => (
            <li key={id}>
              <button
                type="button"
                aria-pressed={method === (name ?? String(id))}
                title={`method id ${id}`}
                onClick={() => setMethod(name ?? String(id))}
              >
                {name ?? id}
              </button>
            </li>
          ))}
        </ul>
      )}
      <form onSubmit={run}>
        <label class="field">
          Method, by name or number
          <input
            value={method}
            spellcheck={false}
            autocomplete="off"
            placeholder="seqno"
            onInput={({ currentTarget }) => setMethod(currentTarget.value)}
          />
        </label>
        <StackEditor rows={rows} onChange={setRows} />
        {typeof stack === "string" && <p class="failure">{stack}</p>}
        <button type="submit" class="primary" disabled={typeof stack === "string" || wanted === ""}>
          Run
        </button>
      </form>
      <MethodResult loaded={loaded} />
      {sent !== undefined && <Snippet body={sent.body} />}
    </Panel>
  );
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
