/*
 * SHA-512, without anything of the platform: the hashes of browsers are asynchronous, and there are none for pages
 * without TLS.
 */

/** The first bits of the fractional parts of the roots of the first primes: all constants. */
function fractionsOfRoots(count: number, exponent: bigint): readonly bigint[] {
  const primes: bigint[] = [];
  for (let n = 2n; primes.length < count; n++) if (primes.every((prime) => n % prime !== 0n)) primes.push(n);
  return primes.map((prime) => {
    const target = prime << (64n * exponent);
    let root = 0n;
    for (let bit = 1n << 68n; bit > 0n; bit >>= 1n) if ((root + bit) ** exponent <= target) root += bit;
    return BigInt.asUintN(64, root);
  });
}

/** High and low words in turns. */
function wordsOf(numbers: readonly bigint[]): Int32Array {
  return Int32Array.from(numbers.flatMap((each) => [Number(each >> 32n) | 0, Number(each & 0xffffffffn) | 0]));
}

interface Constants {
  readonly initial: Int32Array;
  readonly rounds: Int32Array;
}

let made: Constants | undefined;

function constants(): Constants {
  made ??= { initial: wordsOf(fractionsOfRoots(8, 2n)), rounds: wordsOf(fractionsOfRoots(80, 3n)) };
  return made;
}

/** The message with its padding, and its length in bits in the last eight bytes. */
function padded(message: Uint8Array): DataView {
  const { length } = message;
  // The length takes 16 bytes.
  const size = Math.ceil((length + 17) / 128) * 128;
  const bytes = new Uint8Array(size);
  bytes.set(message);
  bytes[length] = 0x80;
  const view = new DataView(bytes.buffer);
  view.setBigUint64(size - 8, BigInt(length) * 8n);
  return view;
}

/** The high word of two, turned to the right by less than a word. */
const turn = (high: number, low: number, by: number) => (high >>> by) | (low << (32 - by));

/** Word `i` of an array; every index here is within it. */
const at = (words: Int32Array, i: number) => words[i] as number;

/** A number of 64 bits as two words. */
type Pair = readonly [high: number, low: number];

const pair = (words: Int32Array, i: number): Pair => [at(words, 2 * i), at(words, 2 * i + 1)];

function put(words: Int32Array, i: number, pairs: readonly Pair[]): void {
  let [high, low] = [0, 0];
  for (const [h, l] of pairs) {
    high += h;
    low += l >>> 0;
  }
  words[2 * i] = high + Math.floor(low / 2 ** 32);
  words[2 * i + 1] = low;
}

/** The exclusive or of a number turned to the right by some bits, and shifted by others. */
function mix([h, l]: Pair, turns: readonly number[], shift = 0): Pair {
  let [high, low] = shift === 0 ? [0, 0] : [h >>> shift, turn(l, h, shift)];
  for (const by of turns) {
    const [x, y] = by < 32 ? [h, l] : [l, h];
    high ^= turn(x, y, by & 31);
    low ^= turn(y, x, by & 31);
  }
  return [high, low];
}

/** SHA-512 of all bytes. */
export function sha512(data: Uint8Array): Uint8Array {
  const message = padded(data);
  const { initial, rounds } = constants();
  const state = initial.slice();
  const w = new Int32Array(160);
  for (let from = 0; from < message.byteLength; from += 128) {
    const s = state.slice();
    for (let i = 0; i < 80; i++) {
      if (i < 16) put(w, i, [[message.getInt32(from + 8 * i), message.getInt32(from + 8 * i + 4)]]);
      else nextPair(w, i);
      const [a, b, c, e, f, g] = [pair(s, 0), pair(s, 1), pair(s, 2), pair(s, 4), pair(s, 5), pair(s, 6)];
      const choice: Pair = [g[0] ^ (e[0] & (f[0] ^ g[0])), g[1] ^ (e[1] & (f[1] ^ g[1]))];
      const majority: Pair = [(a[0] & b[0]) | (c[0] & (a[0] | b[0])), (a[1] & b[1]) | (c[1] & (a[1] | b[1]))];
      const first = [pair(s, 7), mix(e, [14, 18, 41]), choice, pair(rounds, i), pair(w, i)];
      const second = [mix(a, [28, 34, 39]), majority];
      s.copyWithin(2, 0);
      put(s, 4, [pair(s, 4), ...first]);
      put(s, 0, [...first, ...second]);
    }
    for (let i = 0; i < 8; i++) put(state, i, [pair(state, i), pair(s, i)]);
  }
  return bytesOf(state);
}

function nextPair(w: Int32Array, i: number): void {
  const low = mix(pair(w, i - 15), [1, 8], 7);
  const high = mix(pair(w, i - 2), [19, 61], 6);
  put(w, i, [pair(w, i - 16), low, pair(w, i - 7), high]);
}

function bytesOf(words: Int32Array): Uint8Array {
  const view = new DataView(new ArrayBuffer(words.byteLength));
  for (const [i, word] of words.entries()) view.setInt32(4 * i, word);
  return new Uint8Array(view.buffer);
}
