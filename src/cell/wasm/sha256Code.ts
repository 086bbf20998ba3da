import { i32, i32x4, join, local, repeatWhile, v128, type WasmCode, type WasmFunction } from "./assemble.ts";

/** The memory layout of the kernel. */
export const layout = {
  /** The size of each of the four message buffers, which are padded to whole blocks. */
  laneSize: 336,
  /** The four hashes, 32 bytes each. */
  hashesAt: 1344,
  /** Where each message begins: four 32-bit numbers. */
  startsAt: 1472,
  /** How many bytes each message has: four 32-bit numbers. */
  sizesAt: 1488,
  /** The round constants, each repeated four times. */
  constantsAt: 1536,
} as const;

/** The first words of square and cube roots that the standard uses. */
export interface Sha256Constants {
  readonly initial: Int32Array;
  readonly rounds: Int32Array;
}

/** Arithmetic on 32-bit words: one word at a time, or four of four messages side by side. */
interface Words {
  readonly add: (x: WasmCode, y: WasmCode) => WasmCode;
  readonly and: (x: WasmCode, y: WasmCode) => WasmCode;
  readonly xor: (x: WasmCode, y: WasmCode) => WasmCode;
  shiftRight(x: WasmCode, bits: number): WasmCode;
  rotateRight(x: WasmCode, bits: number): WasmCode;
  constant(value: number): WasmCode;
  roundConstant(round: number): WasmCode;
}

const zero = i32.constant(0);

// Parameter: the size of the longest message. Locals: the progress, the message addresses, then the words.
const [size, at, firstWord] = [0, 1, 6];
const starts = [2, 3, 4, 5] as const;
const schedule = Array.from({ length: 16 }, (_, i) => firstWord + i);
const state = Array.from({ length: 8 }, (_, i) => firstWord + 16 + i);
const working = Array.from({ length: 8 }, (_, i) => firstWord + 24 + i);
const sum = firstWord + 32;
/** `a ^ b` of this round and of the previous one, alternating. */
const differences = [firstWord + 33, firstWord + 34] as const;
const wordCount = 35;

const get = (locals: readonly number[], index: number): WasmCode => local.get(locals[index % locals.length] as number);
const set = (locals: readonly number[], index: number, value: WasmCode): WasmCode =>
  local.set(locals[index % locals.length] as number, value);

const each = <T>(items: readonly T[], code: (item: T, index: number) => WasmCode): WasmCode => join(...items.map(code));

/** The address of a message's block. */
const blockOf = (lane: number): WasmCode => i32.add(get(starts, lane), local.get(at));

/** Hashes the first message. */
export function hashOne(constants: Sha256Constants): WasmFunction {
  const words: Words = {
    ...i32,
    shiftRight: (x, bits) => i32.shiftRight(x, i32.constant(bits)),
    rotateRight: (x, bits) => i32.rotateRight(x, i32.constant(bits)),
    roundConstant: (round) => i32.constant(constants.rounds[round] as number),
  };
  const swap = (x: WasmCode): WasmCode => {
    const half = (bits: number, mask: number) => i32.and(i32.rotateRight(x, i32.constant(bits)), i32.constant(mask));
    return i32.or(half(24, 0x00ff00ff), half(8, 0xff00ff00));
  };
  const load = each(schedule, (word, i) =>
    join(local.set(word, i32.load(blockOf(0), i * 4)), local.set(word, swap(local.get(word)))),
  );
  const keep = each(state, (word, i) => local.set(word, i32.add(local.get(word), get(working, i))));
  const store = each(state, (word, i) => i32.store(zero, layout.hashesAt + i * 4, swap(local.get(word))));
  return {
    name: "hashOne",
    parameters: 1,
    i32Locals: 5 + wordCount,
    v128Locals: 0,
    body: hashBlocks(words, constants, load, keep, store),
  };
}

/** Hashes four messages; a message shorter than the longest keeps its hash after its last block. */
export function hashFour(constants: Sha256Constants): WasmFunction {
  const words: Words = {
    ...v128,
    ...i32x4,
    shiftRight: (x, bits) => i32x4.shiftRight(x, i32.constant(bits)),
    rotateRight: (x, bits) =>
      v128.or(i32x4.shiftRight(x, i32.constant(bits)), i32x4.shiftLeft(x, i32.constant(32 - bits))),
    constant: (value) => i32x4.splat(i32.constant(value)),
    roundConstant: (round) => v128.load(zero, layout.constantsAt + round * 16),
  };
  const unfinished = i32x4.greaterThan(v128.load(zero, layout.sizesAt), i32x4.splat(local.get(at)));
  const keep = each(state, (word, i) =>
    local.set(word, v128.select(i32x4.add(local.get(word), get(working, i)), local.get(word), local.get(sum))),
  );
  return {
    name: "hashFour",
    parameters: 1,
    i32Locals: 5,
    v128Locals: wordCount,
    body: hashBlocks(words, constants, loadLanes(), join(local.set(sum, unfinished), keep), storeLanes()),
  };
}

function hashBlocks(
  words: Words,
  constants: Sha256Constants,
  load: WasmCode,
  keep: WasmCode,
  store: WasmCode,
): WasmCode {
  const block = join(
    load,
    each(working, (word, i) => local.set(word, get(state, i))),
    set(differences, 1, words.xor(get(working, 1), get(working, 2))),
    ...Array.from({ length: 64 }, (_, i) => round(words, i)),
    keep,
    local.set(at, i32.add(local.get(at), i32.constant(64))),
  );
  return join(
    each(starts, (start, lane) => local.set(start, i32.load(zero, layout.startsAt + lane * 4))),
    each(state, (word, i) => local.set(word, words.constant(constants.initial[i] as number))),
    repeatWhile(block, i32.lessThan(local.get(at), local.get(size))),
    store,
  );
}

/** Instead of moving eight words, each round renames them: `a` of one round is `b` of the next. */
function round(words: Words, index: number): WasmCode {
  const { add, and, xor } = words;
  const named = (letter: number): WasmCode => get(working, 64 - index + letter);
  const [a, b, d, e, f, g, h] = [named(0), named(1), named(3), named(4), named(5), named(6), named(7)];
  const choice = xor(g, and(e, xor(f, g)));
  // The majority of a, b and c is b unless both others differ from it.
  const majority = xor(b, and(get(differences, index), get(differences, index + 1)));
  const mixed = add(get(schedule, index), words.roundConstant(index));
  return join(
    index < 16 ? [] : extend(words, index),
    local.set(sum, add(add(h, mixed), add(choice, rotations(words, e, 6, 11, 25)))),
    set(working, 64 - index + 3, add(d, local.get(sum))),
    set(differences, index, xor(a, b)),
    set(working, 64 - index + 7, add(local.get(sum), add(majority, rotations(words, a, 2, 13, 22)))),
  );
}

/** Word `index` of the schedule replaces the one sixteen before it. */
function extend(words: Words, index: number): WasmCode {
  const { add, xor } = words;
  const x = get(schedule, index + 1);
  const y = get(schedule, index + 14);
  const low = xor(xor(words.rotateRight(x, 7), words.rotateRight(x, 18)), words.shiftRight(x, 3));
  const high = xor(xor(words.rotateRight(y, 17), words.rotateRight(y, 19)), words.shiftRight(y, 10));
  return set(schedule, index, add(add(get(schedule, index), low), add(get(schedule, index + 9), high)));
}

function rotations(words: Words, x: WasmCode, first: number, second: number, third: number): WasmCode {
  const { xor, rotateRight } = words;
  return xor(xor(rotateRight(x, first), rotateRight(x, second)), rotateRight(x, third));
}

const bytesOfWords = (...words: number[]): WasmCode =>
  words.flatMap((word) => [0, 1, 2, 3].map((byte) => word * 4 + byte));
const swapped = [0, 1, 2, 3].flatMap((word) => [3, 2, 1, 0].map((byte) => word * 4 + byte));
const swapBytes = (x: WasmCode): WasmCode => v128.shuffle(x, x, swapped);

/** Turns four rows of four words into columns, in place. */
function transpose(rows: readonly number[], spare: readonly number[]): WasmCode {
  const [low, high] = [bytesOfWords(0, 4, 1, 5), bytesOfWords(2, 6, 3, 7)];
  return join(
    set(spare, 0, v128.shuffle(get(rows, 0), get(rows, 2), low)),
    set(spare, 1, v128.shuffle(get(rows, 0), get(rows, 2), high)),
    set(spare, 2, v128.shuffle(get(rows, 1), get(rows, 3), low)),
    set(spare, 3, v128.shuffle(get(rows, 1), get(rows, 3), high)),
    set(rows, 0, v128.shuffle(get(spare, 0), get(spare, 2), low)),
    set(rows, 1, v128.shuffle(get(spare, 0), get(spare, 2), high)),
    set(rows, 2, v128.shuffle(get(spare, 1), get(spare, 3), low)),
    set(rows, 3, v128.shuffle(get(spare, 1), get(spare, 3), high)),
  );
}

/** Word i of the schedule gets word i of each message. */
function loadLanes(): WasmCode {
  return each([0, 4, 8, 12], (from) => {
    const rows = schedule.slice(from, from + 4);
    const load = each(rows, (row, lane) => local.set(row, swapBytes(v128.load(blockOf(lane), from * 4))));
    return join(load, transpose(rows, working));
  });
}

function storeLanes(): WasmCode {
  return each([0, 4], (from) => {
    const rows = state.slice(from, from + 4);
    const store = each(rows, (row, lane) =>
      v128.store(zero, layout.hashesAt + lane * 32 + from * 4, swapBytes(local.get(row))),
    );
    return join(transpose(rows, working), store);
  });
}
