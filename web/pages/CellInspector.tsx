import { useState } from "preact/hooks";
import { type Ask, postV3 } from "../api/ask.ts";
import type { V3Answer } from "../api/types.ts";
import { useAsk } from "../api/useAsk.ts";
import { base64ToBytes, bytesToBase64, hexToBytes } from "../format/bytes.ts";
import { CellTree, readBag } from "../parts/CellTree.tsx";
import { Decoded } from "../parts/Decoded.tsx";
import { Await, Facts, Panel } from "../parts/Panel.tsx";
import { HashText } from "../parts/values.tsx";
import { BagField } from "./BagField.tsx";
import type { PageProps } from "./PageProps.ts";

/** Shows the content of a bag of cells. */
export function CellInspector({ query }: PageProps) {
  const [text, setText] = useState(query.get("boc") ?? "");
  const boc = normalize(text);
  const ask = postV3("decode", { opcodes: [], bodies: [boc] });
  return (
    <>
      <h1>Cell inspector</h1>
      <Panel
        title="Bag of cells"
        from={[ask]}
        note="TON stores everything in cells: up to 1023 bits and four references each."
      >
        <BagField label="Hex or base64" value={text} placeholder="te6cck… or b5ee9c72…" onChange={setText} />
      </Panel>
      {boc !== "" && <Inside boc={boc} ask={ask} />}
    </>
  );
}

/** Converts the input to base64 for the API; returns it unchanged if it is neither hex nor base64. */
function normalize(text: string): string {
  const plain = text.replace(/\s+/g, "");
  const bytes = /^[0-9a-f]+$/i.test(plain) ? hexToBytes(plain) : base64ToBytes(plain);
  return bytes === undefined || bytes.length === 0 ? plain : bytesToBase64(bytes);
}

function Inside({ boc, ask }: { readonly boc: string; readonly ask: Ask<V3Answer<"decode">> }) {
  const roots = readBag(boc);
  const isRead = typeof roots !== "string";
  const decoded = useAsk(isRead ? ask : undefined);
  const [root] = isRead ? roots : [];
  return (
    <>
      {root !== undefined && (
        <Panel
          title="Meaning"
          from={[ask]}
          note="Read as the body of a message, by its opcode: a receiver may mean something else."
        >
          <Facts
            facts={[
              ["Hash", <HashText key="hash" hash={root.hash} isFull />],
              ["Depth", String(root.depth), "The longest way down from the root"],
            ]}
          />
          <Await of={decoded}>{({ bodies: [body] }) => <Meaning body={body} />}</Await>
        </Panel>
      )}
      <Panel title="Cells" from={[ask]}>
        <CellTree boc={boc} />
      </Panel>
    </>
  );
}

function Meaning({ body }: { readonly body: unknown }) {
  const { error } = Object(body) as { readonly error?: unknown };
  if (typeof error === "string") return <p class="muted">No known message has this form.</p>;
  return <Decoded value={body} />;
}
