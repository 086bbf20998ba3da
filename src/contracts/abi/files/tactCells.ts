import type { JsonValue } from "../../../lib/json.ts";

type Field = { readonly name: string; readonly type: JsonValue };
interface Size {
  readonly bits: number;
  readonly refs: number;
}

const maxBits = 1023;
/** The last reference is kept for the continuation. */
const maxRefs = 3;
const deepest = 16;

/** How Tact divides fields: those that do not fit into a cell are in its last reference, and so on. */
export function splitCells(
  fields: readonly Field[],
  usedBits: number,
  fieldsOf: (name: string) => readonly Field[],
): readonly Field[] {
  let used: Size = { bits: usedBits, refs: 0 };
  for (const [index, field] of fields.entries()) {
    const size = sizeOf(field.type, fieldsOf, 0);
    used = { bits: used.bits + size.bits, refs: used.refs + size.refs };
    // A cell that begins with a field too large for any would never end.
    if (index === 0 || (used.bits <= maxBits && used.refs <= maxRefs)) continue;
    const rest = splitCells(fields.slice(index), 0, fieldsOf);
    return [...fields.slice(0, index), { name: "continued", type: { ref: { struct: rest } } }];
  }
  return fields;
}

const fixed: Readonly<Record<string, Size>> = {
  bool: { bits: 1, refs: 0 },
  coins: { bits: 124, refs: 0 },
  varuint16: { bits: 124, refs: 0 },
  varint16: { bits: 124, refs: 0 },
  varuint32: { bits: 253, refs: 0 },
  varint32: { bits: 253, refs: 0 },
  address: { bits: 267, refs: 0 },
  "address?": { bits: 267, refs: 0 },
  cell: { bits: 0, refs: 1 },
};

/** The largest size of a value. */
function sizeOf(type: JsonValue, fieldsOf: (name: string) => readonly Field[], depth: number): Size {
  if (typeof type === "string") {
    const digits = /^(?:u?int|bits)([0-9]+)$/.exec(type)?.[1];
    return (Object.hasOwn(fixed, type) ? fixed[type] : undefined) ?? { bits: Number(digits ?? 0), refs: 0 };
  }
  if (typeof type !== "object" || type === null || Array.isArray(type) || depth > deepest) return { bits: 0, refs: 0 };
  const [kind, inner] = Object.entries(type)[0] ?? ["", null];
  if (kind === "maybe") {
    const size = sizeOf(inner, fieldsOf, depth + 1);
    return { bits: size.bits + 1, refs: size.refs };
  }
  if (kind === "ref") return { bits: 0, refs: 1 };
  if (kind === "dict") return { bits: 1, refs: 1 };
  const sizes = fieldsOf(String(inner)).map((field) => sizeOf(field.type, fieldsOf, depth + 1));
  return sizes.reduce((sum, { bits, refs }) => ({ bits: sum.bits + bits, refs: sum.refs + refs }), {
    bits: 0,
    refs: 0,
  });
}
