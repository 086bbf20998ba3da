/**
 * A small WebAssembly assembler: each function returns the bytes of an expression or statement, so that code reads like
 * the formulas it implements. It has only what the SHA-256 kernel needs.
 */
export type WasmCode = readonly number[];

export const i32Type = 0x7f;
export const v128Type = 0x7b;

/** LEB128, unsigned: counts, indices, offsets, opcodes after a prefix. */
export function unsigned(value: number): WasmCode {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 0x7f; rest >>>= 7) bytes.push((rest & 0x7f) | 0x80);
  return [...bytes, rest];
}

/** LEB128, signed: constants. */
export function signed(value: number): WasmCode {
  const bytes: number[] = [];
  let rest = value;
  for (; rest < -0x40 || rest > 0x3f; rest >>= 7) bytes.push((rest & 0x7f) | 0x80);
  return [...bytes, rest & 0x7f];
}

/** Concatenates pieces; much faster than spreading or flattening long pieces. */
export function join(...pieces: WasmCode[]): WasmCode {
  return ([] as number[]).concat(...pieces);
}

const op =
  (...opcode: number[]) =>
  (...operands: WasmCode[]): WasmCode =>
    join(...operands, opcode);
const simd = (opcode: number) => op(0xfd, ...unsigned(opcode));
/** A memory access: the alignment hint (none) and the offset added to the address. */
const place = (offset: number): WasmCode => [0, ...unsigned(offset)];

export const local = {
  get: (index: number): WasmCode => [0x20, ...unsigned(index)],
  set: (index: number, value: WasmCode): WasmCode => join(value, [0x21], unsigned(index)),
};

export const i32 = {
  constant: (value: number): WasmCode => [0x41, ...signed(value | 0)],
  load: (address: WasmCode, offset: number): WasmCode => join(address, [0x28], place(offset)),
  store: (address: WasmCode, offset: number, value: WasmCode): WasmCode => join(address, value, [0x36], place(offset)),
  lessThan: op(0x48),
  add: op(0x6a),
  and: op(0x71),
  or: op(0x72),
  xor: op(0x73),
  shiftRight: op(0x76),
  rotateRight: op(0x78),
};

export const v128 = {
  load: (address: WasmCode, offset: number): WasmCode => join(address, [0xfd, 0], place(offset)),
  store: (address: WasmCode, offset: number, value: WasmCode): WasmCode =>
    join(address, value, [0xfd, 11], place(offset)),
  /** Sixteen bytes selected from two vectors: 0–15 are those of the first. */
  shuffle: (first: WasmCode, second: WasmCode, picked: WasmCode): WasmCode => join(first, second, [0xfd, 13], picked),
  and: simd(78),
  or: simd(80),
  xor: simd(81),
  /** Bits of the first where the third has ones, else of the second. */
  select: simd(82),
};

export const i32x4 = {
  splat: simd(17),
  greaterThan: simd(59),
  shiftLeft: simd(171),
  shiftRight: simd(173),
  add: simd(174),
};

/** Runs the body, and repeats it while the condition holds. */
export function repeatWhile(body: WasmCode, condition: WasmCode): WasmCode {
  return join([0x03, 0x40], body, condition, [0x0d, 0, 0x0b]);
}

export interface WasmFunction {
  readonly name: string;
  /** The number of parameters; they are its first locals. */
  readonly parameters: number;
  /** How many locals of each type follow, in this order. */
  readonly i32Locals: number;
  readonly v128Locals: number;
  readonly body: WasmCode;
}

/** A module with one page of memory, exported as `memory`, and functions that return nothing, exported by name. */
export function assembleModule(functions: readonly WasmFunction[]): Uint8Array {
  const types = functions.map(({ parameters }) => [0x60, ...list(Array(parameters).fill([i32Type])), 0]);
  const exported = functions.map(({ name }, index) => [...text(name), 0, ...unsigned(index)]);
  return Uint8Array.from(
    join(
      [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
      section(1, list(types)),
      section(3, list(functions.map((_, index) => unsigned(index)))),
      section(5, list([[0, 1]])),
      section(7, list([[...text("memory"), 2, 0], ...exported])),
      section(10, list(functions.map(functionBody))),
    ),
  );
}

function functionBody({ i32Locals, v128Locals, body }: WasmFunction): WasmCode {
  const locals = list([
    [...unsigned(i32Locals), i32Type],
    [...unsigned(v128Locals), v128Type],
  ]);
  return sized(join(locals, body, [0x0b]));
}

const list = (items: readonly WasmCode[]): WasmCode => join(unsigned(items.length), ...items);
const sized = (bytes: WasmCode): WasmCode => join(unsigned(bytes.length), bytes);
const text = (value: string): WasmCode => sized([...Buffer.from(value)]);
const section = (id: number, content: WasmCode): WasmCode => join([id], sized(content));
