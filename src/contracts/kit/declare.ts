import type { Cell } from "../../cell/Cell.ts";
import { Slice, sliceOf } from "../../cell/Slice.ts";
import { isCoded } from "../../lib/errors.ts";
import type { JsonObject, JsonValue } from "../../lib/json.ts";
import type { AbiConstructor, AbiFields, AbiType } from "../abi/Abi.ts";
import { ContractError } from "./errors.ts";
import type { ShowContext } from "./ShowContext.ts";

/**
 * One part of a layout, read in two ways. `load` returns the value for code and ignores what follows; `show` returns
 * the v3 JSON form and is as strict as the public decoder: a typed reference must be used up.
 */
export interface BodyField<T> {
  load(slice: Slice): T;
  show(slice: Slice, showing: ShowContext): JsonValue;
  /** The type in the ABI; `slice` for what has none there, with all that follows. */
  readonly abi: AbiType;
  /** The least number of bits and references when shown, so that short input is refused without trying. */
  readonly leastBits?: number;
  readonly leastRefs?: number;
  /** The name in JSON if it is not the snake_case of the name in code. */
  readonly jsonName?: string;
}

export type FieldValue<F> = F extends BodyField<infer T> ? T : never;
export type BodyFields = Readonly<Record<string, BodyField<unknown>>>;
export type BodyValues<F extends BodyFields> = { readonly [K in keyof F]: FieldValue<F[K]> };

/** Gives a field another name in JSON; nameless fields of layouts have the name "". */
export function named<T>(jsonName: string, field: BodyField<T>): BodyField<T> {
  return { ...field, jsonName };
}

/** A name of the code as JSON has it. */
export function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Fields in layout order. */
interface Layout<T> {
  readonly leastBits: number;
  readonly leastRefs: number;
  readonly abi: AbiFields;
  load(slice: Slice, into: Record<string, unknown>): T;
  show(slice: Slice, showing: ShowContext, into: Record<string, JsonValue>): JsonObject;
}

function layoutOf<F extends BodyFields>(declared: F): Layout<BodyValues<F>> {
  const list = Object.entries(declared).map(([name, field]) => ({
    name,
    field,
    jsonName: field.jsonName ?? snakeCase(name),
  }));
  const cost = list.reduce((sum, { jsonName }) => sum + jsonName.length + 16, 32);
  return {
    leastBits: list.reduce((sum, { field }) => sum + (field.leastBits ?? 0), 0),
    leastRefs: list.reduce((sum, { field }) => sum + (field.leastRefs ?? 0), 0),
    abi: list.map(({ name, field, jsonName }) => ({
      name: jsonName === "" ? snakeCase(name) : jsonName,
      type: field.abi,
    })),
    load: (slice, into) => {
      for (const { name, field } of list) into[name] = field.load(slice);
      // The kit's one cast: the loop above has set exactly the fields of F.
      return into as BodyValues<F>;
    },
    show: (slice, showing, into) => {
      showing.enter();
      showing.spend(cost);
      for (const { field, jsonName } of list) into[jsonName] = field.show(slice, showing);
      showing.leave();
      return into;
    },
  };
}

/** A named constructor without a tag: in JSON its name is the `@type`. */
export function record<F extends BodyFields>(type: string, fields: F): BodyField<BodyValues<F>> {
  const layout = layoutOf(fields);
  const { leastBits, leastRefs } = layout;
  return {
    load: (slice) => layout.load(slice, {}),
    show: (slice, showing) => layout.show(slice, showing, { "@type": type }),
    abi: { struct: layout.abi },
    leastBits,
    leastRefs,
  };
}

/** Fields without a constructor's name. */
export function group<F extends BodyFields>(fields: F): BodyField<BodyValues<F>> {
  const layout = layoutOf(fields);
  const { leastBits, leastRefs } = layout;
  return {
    load: (slice) => layout.load(slice, {}),
    show: (slice, showing) => layout.show(slice, showing, {}),
    abi: { struct: layout.abi },
    leastBits,
    leastRefs,
  };
}

/** `[tag, fields]`, the tag written as in schemes: `#4ac789f3` in hex, `$0111` in bits. */
export type Variants = Readonly<Record<string, readonly [tag: string, fields: BodyFields]>>;
export type ChoiceOf<V extends Variants> = {
  [K in keyof V & string]: { readonly kind: K } & BodyValues<V[K][1]>;
}[keyof V & string];

/** One of several constructors, distinguished by tags. The names are those of the scheme; `kind` has them in code. */
export function choice<V extends Variants>(variants: V): BodyField<ChoiceOf<V>> {
  const list = Object.entries(variants).map(([type, [text, fields]]) => ({
    type,
    text,
    tag: Number.parseInt(text.slice(1), text.startsWith("$") ? 2 : 16),
    bits: (text.length - 1) * (text.startsWith("$") ? 1 : 4),
    layout: layoutOf(fields),
  }));
  const find = (slice: Slice): (typeof list)[number] => {
    for (const variant of list) {
      if (slice.remainingBits < variant.bits || slice.preloadUint(variant.bits) !== variant.tag) continue;
      slice.skip(variant.bits);
      return variant;
    }
    throw new ContractError("contracts/tag", `none of ${list.map(({ type }) => type).join(", ")} is here`);
  };
  return {
    // As in `layoutOf`: exactly the variant's fields are set.
    load: (slice) => {
      const { type, layout } = find(slice);
      return layout.load(slice, { kind: type }) as ChoiceOf<V>;
    },
    show: (slice, showing) => {
      const { type, layout } = find(slice);
      return layout.show(slice, showing, { "@type": type });
    },
    abi: { union: list.map(({ type, text, layout }) => ({ name: type, tag: text, fields: layout.abi })) },
    leastBits: Math.min(...list.map(({ bits, layout }) => bits + layout.leastBits)),
    leastRefs: Math.min(...list.map(({ layout }) => layout.leastRefs)),
  };
}

/** Shows a slice; returns `undefined` or throws a coded error when the layout does not fit. */
export type Show = (slice: Slice, showing: ShowContext) => JsonObject | undefined;

/** A message body: its opcode, its name, its layout. */
export interface Body<T> {
  readonly name: string;
  readonly opcode: number;
  /** Reads the body, opcode included; `undefined` when it is another body or cut. */
  find(source: Cell | Slice): T | undefined;
  /** The v3 JSON form of the slice after the opcode; absent for bodies known by name only. */
  readonly show: Show | undefined;
  readonly abi: AbiConstructor;
}

/** Declares a body: its decoder, its JSON form and the name of its opcode. */
export function body<F extends BodyFields>(name: string, opcode: number, fields: F): Body<BodyValues<F>> {
  const layout = layoutOf(fields);
  return {
    name,
    opcode,
    find: (source) => findIn(source, opcode, layout),
    show: showWith(name, layout),
    abi: { name, tag: tagOf(opcode), fields: layout.abi },
  };
}

function tagOf(opcode: number): string {
  return `#${opcode.toString(16).padStart(8, "0")}`;
}

/** Layouts of bodies by their names in code: the opcode, and the fields after it. */
export type Layouts = Readonly<Record<string, readonly [opcode: number, fields?: BodyFields]>>;
type FieldsOf<L> = L extends readonly [number, infer F extends BodyFields] ? F : Record<never, never>;
export type BodiesOf<L extends Layouts, Head = unknown> = {
  readonly [K in keyof L]: Body<BodyValues<Head & FieldsOf<L[K]>>>;
};

/** Declares the bodies of a table, in the order in which they are tried. In JSON their names are in snake_case. */
export function bodies<const L extends Layouts>(layouts: L, declare = body): BodiesOf<L> {
  const declared = Object.entries(layouts).map(([name, [opcode, fields = {}]]) => [
    name,
    declare(snakeCase(name), opcode, fields),
  ]);
  // As in `layoutOf`: there is exactly one body for each layout.
  return Object.fromEntries(declared) as BodiesOf<L>;
}

/** A body that code reads but the public decoder does not: it has a name, but no JSON form. */
export function quietBody<F extends BodyFields>(name: string, opcode: number, fields: F): Body<BodyValues<F>> {
  const layout = layoutOf(fields);
  return {
    name,
    opcode,
    find: (source) => findIn(source, opcode, layout),
    show: undefined,
    abi: { name, tag: tagOf(opcode), fields: [...layout.abi, { name: "rest", type: "slice" }] },
  };
}

/** An opcode of which only the name is known. */
export function bareOpcode(name: string, opcode: number): Body<Record<never, never>> {
  return quietBody(name, opcode, {});
}

/** Several such opcodes. */
export function bareOpcodes(names: Readonly<Record<string, number>>): readonly Body<Record<never, never>>[] {
  return Object.entries(names).map(([name, opcode]) => bareOpcode(name, opcode));
}

function showWith(name: string, layout: Layout<unknown>): Show {
  return (slice, showing) =>
    slice.remainingBits < layout.leastBits || slice.remainingRefs < layout.leastRefs
      ? undefined
      : layout.show(slice, showing, { "@type": name });
}

/** A given slice is not moved. */
function findIn<T>(source: Cell | Slice, opcode: number, layout: Layout<T>): T | undefined {
  return attempt(() => {
    const slice = source instanceof Slice ? source.clone() : sliceOf(source);
    if (slice.remainingBits < 32 || slice.preloadUint(32) !== opcode) return undefined;
    return layout.load(slice.skip(32), {});
  });
}

/** Any error in the cells of a message means that it is another body. */
function attempt<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch (error) {
    if (isCoded(error)) return undefined;
    throw error;
  }
}

/** A body without an opcode: it is recognised by its whole layout, so nothing may be left over. */
export interface OpenBody<T> {
  readonly name: string;
  find(cell: Cell): T | undefined;
  readonly show: Show;
  readonly abi: AbiConstructor;
}

/** `fits` excludes most other cells by size alone. */
export function openBody<F extends BodyFields>(
  name: string,
  fields: F,
  fits: (bits: number, refs: number) => boolean,
): OpenBody<BodyValues<F>> {
  const layout = layoutOf(fields);
  const show = showWith(name, layout);
  return {
    name,
    find: (cell) =>
      attempt(() => {
        const slice = sliceOf(cell);
        const value = layout.load(slice, {});
        slice.end();
        return value;
      }),
    show: (slice, showing) => (fits(slice.remainingBits, slice.remainingRefs) ? show(slice, showing) : undefined),
    abi: { name, fields: layout.abi },
  };
}
