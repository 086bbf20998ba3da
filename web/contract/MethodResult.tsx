import { useState } from "preact/hooks";
import { describeExitOf } from "../api/contract.ts";
import type { V3Answer } from "../api/types.ts";
import type { Loaded } from "../api/useAsk.ts";
import { href } from "../browser/router.ts";
import { BagError } from "../cells/Cell.ts";
import { parseBag } from "../cells/parseBag.ts";
import { Slice } from "../cells/Slice.ts";
import { formatCount } from "../format/coins.ts";
import { AddressLink } from "../parts/AddressLink.tsx";
import { Copy } from "../parts/Copy.tsx";
import { Decoded } from "../parts/Decoded.tsx";
import { More } from "../parts/More.tsx";
import { Await, Empty } from "../parts/Panel.tsx";
import { Badge } from "../parts/values.tsx";

interface MethodResultProps {
  readonly address: string;
  readonly loaded: Loaded<V3Answer<"runGetMethod">>;
}

/** The result of a get-method: every stack value with its type. */
export function MethodResult({ address, loaded }: MethodResultProps) {
  return (
    <Await of={loaded}>
      {({ exit_code: code, gas_used: gas, stack, decoded }) => (
        <div class="result" role="status">
          <p>
            <Badge tone={code === 0 || code === 1 ? "good" : "bad"}>exit code {describeExitOf(address, code)}</Badge>{" "}
            <span class="muted">{formatCount(gas)} gas</span>
          </p>
          {decoded !== undefined && <Decoded value={decoded.fields} />}
          {stack.length === 0 ? <Empty>It gave no values.</Empty> : <Values entries={stack} />}
        </div>
      )}
    </Await>
  );
}

interface Entry {
  readonly type: string;
  readonly value: unknown;
}

/** Values that are shown at once: a contract decides how many there are. */
const step = 50;

function Values({ entries }: { readonly entries: readonly Entry[] }) {
  return (
    <More items={entries} step={step}>
      {(shown) => (
        <ol class="stack">
          {shown.map((entry, at) => (
            <li key={`${at} ${entry.type}`}>
              <Value entry={entry} />
            </li>
          ))}
        </ol>
      )}
    </More>
  );
}

/** A tuple or list. Large ones open on a click: each may hold as many again. */
function Nested({ type, entries }: { readonly type: string; readonly entries: readonly Entry[] }) {
  const [isOpen, setOpen] = useState(entries.length <= 8 && !entries.some(({ value }) => Array.isArray(value)));
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary class="muted">
        {type} of {formatCount(entries.length)}
      </summary>
      {isOpen && <Values entries={entries} />}
    </details>
  );
}

function Value({ entry: { type, value } }: { readonly entry: Entry }) {
  if (Array.isArray(value)) return <Nested type={type} entries={value} />;
  const text = String(value);
  if (type === "num") return <NumberValue text={text} />;
  const address = findAddress(text);
  return (
    <span class="line">
      <span class="muted">{type}</span>
      {address !== undefined && <AddressLink address={address} />}
      {text.length < 6_000 && <a href={href(`/cell?boc=${encodeURIComponent(text)}`)}>open as cells</a>}
      <Copy text={text} what="bag of cells" />
    </span>
  );
}

function NumberValue({ text }: { readonly text: string }) {
  const isNegative = text.startsWith("-");
  const size = /^-?0x[0-9a-f]+$/i.test(text) || /^-?\d+$/.test(text) ? BigInt(text.replace("-", "")) : undefined;
  const decimal = size === undefined ? text : `${isNegative ? "−" : ""}${formatCount(size)}`;
  return (
    <span class="line">
      <span class="muted">number</span>
      <code>{decimal}</code>
      {size !== undefined && size > 9n && <code class="muted">{text}</code>}
      <Copy text={size === undefined ? text : `${isNegative ? "-" : ""}${size}`} what="number" />
    </span>
  );
}

/**
 * Longer than a bag of one cell with an address in it: everything longer is not read, which would hash all its cells.
 */
const longestAddress = 120;

/** The address in a cell that contains nothing else. */
function findAddress(boc: string): string | undefined {
  if (boc.length > longestAddress) return undefined;
  try {
    const [root] = parseBag(boc);
    if (root?.bitLength !== 267 || root.refs.length > 0) return undefined;
    const slice = new Slice(root);
    if (slice.uint(3) !== 0b100n) return undefined;
    return `${slice.int(8)}:${slice.hex(256).toUpperCase()}`;
  } catch (error) {
    if (error instanceof BagError) return undefined;
    throw error;
  }
}
