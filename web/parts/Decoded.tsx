import { humanize } from "../format/names.ts";
import { AddressLink } from "./AddressLink.tsx";
import { Facts } from "./Panel.tsx";

type Fields = Readonly<Record<string, unknown>>;

/** A decoded body in words: its fields by name, addresses as links, optional values without their wrapping. */
export function Decoded({ value }: { readonly value: unknown }) {
  const text = JSON.stringify(value, null, 2);
  return (
    <div class="decoded">
      <Value value={value} depth={0} />
      <details>
        <summary class="small muted">As JSON</summary>
        <pre tabIndex={0}>{text.length > maxShown ? `${text.slice(0, maxShown)}\n…` : text}</pre>
      </details>
    </div>
  );
}

const maxShown = 6_000;
/** What is deeper is in the JSON. */
const maxDepth = 16;
/** Fields within fields within fields open on a click. */
const openDepth = 2;
const maxItems = 100;

/** A value by its fields. */
export function Value({ value, depth }: { readonly value: unknown; readonly depth: number }) {
  const plain = unwrap(value);
  if (plain === null || plain === undefined) return <span class="muted">none</span>;
  if (typeof plain === "string" && /^-?\d+:[0-9a-f]{64}$/i.test(plain))
    return <AddressLink address={plain.toUpperCase()} />;
  if (typeof plain !== "object") return <Text text={String(plain)} />;
  if (depth >= maxDepth) return <span class="muted">…</span>;
  const fields = plain as Fields;
  const address = findAddress(fields);
  if (address !== undefined) return <AddressLink address={address} />;
  const shown = <Facts facts={listFields(fields, depth)} />;
  if (depth < openDepth) return shown;
  return (
    <details>
      <summary>{kindOf(fields) ?? "Fields"}</summary>
      {shown}
    </details>
  );
}

function kindOf({ "@type": type, type: kind }: Fields): string | undefined {
  const name = typeof kind === "string" ? kind : type;
  return typeof name === "string" ? humanize(name) : undefined;
}

function listFields(fields: Fields, depth: number) {
  const { "@type": _type, type: _kind, ...rest } = fields;
  const entries = Object.entries(rest).slice(0, maxItems);
  const kind = kindOf(fields);
  return [
    kind !== undefined && depth < openDepth && (["Kind", kind] as const),
    ...entries.map(([field, each]) => [humanize(field), <Value key={field} value={each} depth={depth + 1} />] as const),
  ];
}

/** Texts and cells may be long; the JSON has all of it. */
function Text({ text }: { readonly text: string }) {
  return <bdi class="value">{text.length > 300 ? `${text.slice(0, 300)}…` : text}</bdi>;
}

/**
 * The content of optional values, alternatives, references, amounts and numbers with a length: the schema of a body
 * wraps them.
 */
function unwrap(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const { "@type": type, ...rest } = value as Fields;
  switch (type) {
    case "nothing_from_maybe":
    case "addr_none":
      return null;
    case "something_from_maybe":
    case "first_from_either":
    case "second_from_either":
      return unwrap(rest.value);
    case "nanograms":
      return unwrap(rest.amount);
    case "var_uint":
    case "var_int":
      return rest.value;
    default:
      return Object.keys(rest).length === 1 && "cell_reference" in rest ? unwrap(rest.cell_reference) : value;
  }
}

function findAddress({ "@type": type, workchain_id: workchain, address }: Fields): string | undefined {
  return type === "addr_std" && typeof address === "string" ? `${workchain}:${address.toUpperCase()}` : undefined;
}
