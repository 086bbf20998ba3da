import { formatAmount } from "../../api/features.ts";
import { BagError } from "../../cells/Cell.ts";
import { listInline } from "../../cells/dictionary.ts";
import { Slice } from "../../cells/Slice.ts";
import { formatCount } from "../../format/coins.ts";
import { humanize } from "../../format/names.ts";
import { formatMoment } from "../../format/time.ts";

/** The name and the value of a field, for display. */
export type Field = readonly [name: string, value: string];

/** Reads a part of a cell; throws `BagError` for bits of another form. */
export type Layout = (slice: Slice) => readonly Field[];

/**
 * Fields `name:kind` one after another: `uN` and `iN` are numbers of N bits, `b` a flag, `x` 256 bits as hex, `c`
 * coins, `v` an amount of an extra currency, `t` a time. A kind behind `?` may be absent. Keys of dictionaries may also
 * be `a`, a workchain and an address.
 */
export function record(fields: string): Layout {
  const parts = fields.split(" ").map((field) => field.split(":"));
  return (slice) => parts.map(([name = "", kind = ""]) => [name, readField(slice, kind)]);
}

/** Parts one after another. */
export function sequence(...parts: readonly Layout[]): Layout {
  return (slice) => parts.flatMap((part) => part(slice));
}

/** The layout that the first bits select; all tags have the same number of hex digits. */
export function tagged(layouts: Readonly<Record<string, Layout>>): Layout {
  const digits = Object.keys(layouts)[0]?.length ?? 0;
  return (slice) => {
    const layout = layouts[slice.hex(digits * 4)];
    if (layout === undefined) throw new BagError("the tag is not known");
    return layout(slice);
  };
}

/** A part in a cell of its own. */
export function inReference(name: string, layout: Layout): Layout {
  return (slice) => readWhole(new Slice(slice.ref()), layout).map(([field, value]) => [`${name}_${field}`, value]);
}

/** A part that one bit says to be there. */
export function optional(layout: Layout): Layout {
  return (slice) => (slice.bit() === 1 ? layout(slice) : []);
}

/** The entries of a dictionary that begins here: a field for each, named by its key. */
export function entries(name: string, key: string, value: Layout): Layout {
  const bits = bitsOf(key);
  return (slice) =>
    listInline(slice, bits).map(([each, rest]) => [
      `${name}_${formatKey(each, key)}`,
      formatEntry(readWhole(rest, value)),
    ]);
}

/** The keys of a dictionary that begins here and has no values: one field. */
export function keys(name: string, key: string): Layout {
  const bits = bitsOf(key);
  return (slice) => [
    [
      name,
      listInline(slice, bits)
        .map(([each]) => formatKey(each, key))
        .join(", "),
    ],
  ];
}

/** A dictionary that may be empty: one bit, and its root in a reference. */
export function dictionary(root: Layout): Layout {
  return (slice) => (slice.bit() === 1 ? root(new Slice(slice.ref())) : [["entries", "none"]]);
}

/** Everything of a cell. Bits that the layout leaves are reported, because a newer form may have more. */
export function readWhole(slice: Slice, layout: Layout): readonly Field[] {
  const fields = layout(slice);
  const { bitsLeft, refsLeft } = slice;
  return bitsLeft + refsLeft === 0
    ? fields
    : [...fields, ["not_decoded", `${bitsLeft} bits and ${refsLeft} references`]];
}

/** The fields of an entry in one line; a field without a name is the only one. */
function formatEntry(fields: readonly Field[]): string {
  return fields.map(([name, value]) => (name === "" ? value : `${humanize(name).toLowerCase()} ${value}`)).join(", ");
}

function readField(slice: Slice, kind: string): string {
  const bits = Number(kind.slice(1));
  switch (kind.charAt(0)) {
    case "?":
      return slice.bit() === 1 ? readField(slice, kind.slice(1)) : "none";
    case "x":
      return slice.hex(256);
    case "c":
      return formatAmount(slice.coins());
    case "v":
      return formatCount(slice.uint(Number(slice.uint(5)) * 8));
    case "b":
      return slice.bit() === 1 ? "yes" : "no";
    case "t":
      return formatMoment(Number(slice.uint(32)));
    case "i":
      return slice.int(bits).toString();
    default:
      return formatCount(slice.uint(bits));
  }
}

function bitsOf(kind: string): number {
  const lengths: Readonly<Record<string, number>> = { x: 256, a: 288 };
  return lengths[kind] ?? Number(kind.slice(1));
}

function formatKey(key: bigint, kind: string): string {
  const hex = (value: bigint) => BigInt.asUintN(256, value).toString(16).padStart(64, "0");
  if (kind === "a") return `${BigInt.asIntN(32, key >> 256n)}:${hex(key)}`;
  if (kind === "x") return hex(key);
  return (kind.startsWith("i") ? BigInt.asIntN(bitsOf(kind), key) : key).toString();
}
