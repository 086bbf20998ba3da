/** What a function returns or takes, in the letters of the glue: nothing, i32, i64, f32, f64. */
export const valueTypes = ["v", "i", "j", "f", "d"] as const;
export type ValueType = (typeof valueTypes)[number];

/** A function to be made: it takes a place in the table and calls what is there; the signature begins with the result. */
export interface CallFunction {
  readonly name: string;
  readonly signature: readonly ValueType[];
}

const typeByte: Readonly<Record<ValueType, number>> = { v: 0x40, i: 0x7f, j: 0x7e, f: 0x7d, d: 0x7c };
const zeroOf: Readonly<Record<ValueType, readonly number[]>> = {
  v: [],
  i: [0x41, 0],
  j: [0x42, 0],
  f: [0x43, 0, 0, 0, 0],
  d: [0x44, 0, 0, 0, 0, 0, 0, 0, 0],
};

/** The first places of the table, and the types of what is there: where the stack is, put it back, tell of a throw. */
const helperSignatures: readonly (readonly ValueType[])[] = [["i"], ["v", "i"], ["v", "i", "i"]];
const helperPlaces = { stackAt: 0, restoreStack: 1, setThrew: 2 } as const;

const op = {
  if: 0x04,
  try: 0x06,
  rethrow: 0x09,
  end: 0x0b,
  callIndirect: 0x11,
  catchAll: 0x19,
  localGet: 0x20,
  localSet: 0x21,
  globalGet: 0x23,
  globalSet: 0x24,
  i32Const: 0x41,
  i32Eqz: 0x45,
  i32Add: 0x6a,
} as const;

/**
 * A module of functions that call through its table `table` and catch what is thrown: when the global `isThrown` says
 * that it is an exception of the machine's own, the machine is told and the result is zero; anything else goes on.
 */
export function encodeModule(functions: readonly CallFunction[]): Uint8Array {
  const signatures = functions.map(({ signature }) => signature);
  const count = helperSignatures.length;
  const types = [
    ...helperSignatures,
    ...signatures,
    ...signatures.map(([result = "v", ...args]) => [result, "i", ...args] as const),
  ];
  const exported = functions.map(({ name }, i) => [...text(name), 0, ...uint(i)]);
  const bodies = signatures.map((signature, i) => encodeBody(signature, count + i));
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
    ...section(1, types.map(encodeType)),
    ...section(
      3,
      functions.map((_, i) => uint(count + functions.length + i)),
    ),
    ...section(4, [[0x70, 0x00, ...uint(count)]]),
    ...section(6, [[typeByte.i, 0x01, ...zeroOf.i, op.end]]),
    ...section(7, [...exported, [...text("table"), 1, 0], [...text("isThrown"), 3, 0]]),
    ...section(
      10,
      bodies.map((body) => [...uint(body.length), ...body]),
    ),
  ]);
}

function encodeType([result = "v", ...args]: readonly ValueType[]): number[] {
  const results = result === "v" ? [] : [typeByte[result]];
  return [0x60, ...uint(args.length), ...args.map((arg) => typeByte[arg]), ...uint(results.length), ...results];
}

function encodeBody([result = "v", ...args]: readonly ValueType[], typeIndex: number): number[] {
  const stack = uint(args.length + 1);
  const callHelper = (place: number) => [op.i32Const, place, op.callIndirect, place, 0];
  return [
    ...[1, 1, typeByte.i],
    ...[...callHelper(helperPlaces.stackAt), op.localSet, ...stack],
    ...[op.try, typeByte[result]],
    ...args.flatMap((_, i) => [op.localGet, ...uint(i + 1)]),
    ...[op.localGet, 0, op.i32Const, helperSignatures.length, op.i32Add, op.callIndirect, ...uint(typeIndex), 0],
    op.catchAll,
    ...[op.localGet, ...stack, ...callHelper(helperPlaces.restoreStack)],
    ...[op.globalGet, 0, op.i32Eqz, op.if, typeByte.v, op.rethrow, 1, op.end],
    ...[...zeroOf.i, op.globalSet, 0],
    ...[op.i32Const, 1, ...zeroOf.i, ...callHelper(helperPlaces.setThrew)],
    ...zeroOf[result],
    ...[op.end, op.end],
  ];
}

function section(id: number, entries: readonly (readonly number[])[]): number[] {
  const content = [...uint(entries.length), ...entries.flat()];
  return [id, ...uint(content.length), ...content];
}

function text(value: string): number[] {
  const bytes = new TextEncoder().encode(value);
  return [...uint(bytes.length), ...bytes];
}

/** A number without sign in groups of seven bits, the lowest first. */
function uint(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...uint(value >>> 7)];
}
