const primes = firstPrimes(64);
/** The constants of the 64 rounds. */
export const roundConstants = Int32Array.from(primes, (prime) => fraction(Math.cbrt(prime)));
/** The initial hash value. */
export const initialState = Int32Array.from(primes.slice(0, 8), (prime) => fraction(Math.sqrt(prime)));

function firstPrimes(count: number): number[] {
  const found: number[] = [];
  for (let n = 2; found.length < count; n++) if (found.every((prime) => n % prime !== 0)) found.push(n);
  return found;
}

/** The first 32 bits of the fraction; a number has 48 of those of such roots, at least. */
function fraction(value: number): number {
  return ((value % 1) * 2 ** 32) | 0;
}

const schedule = new Int32Array(64);
const state = new Int32Array(8);

/**
 * SHA-256 of the first `length` bytes of `input`, which must have 72 spare bytes after them for the padding; the
 * length is below 2^29. It needs nothing of the platform: a browser offers its own only to secure origins.
 */
export function writeSha256(input: Uint8Array, length: number, output: Uint8Array, outputAt: number): void {
  const blocks = (length + 72) >>> 6;
  const end = blocks << 6;
  input[length] = 0x80;
  input.fill(0, length + 1, end - 4);
  input[end - 4] = length >>> 21;
  input[end - 3] = length >>> 13;
  input[end - 2] = length >>> 5;
  input[end - 1] = length << 3;
  state.set(initialState);
  for (let at = 0; at < end; at += 64) compress(input, at);
  for (let i = 0; i < 32; i++) output[outputAt + i] = (state[i >> 2] as number) >>> (24 - 8 * (i & 3));
}

/** SHA-256 of all bytes. */
export function sha256(bytes: Uint8Array): Uint8Array {
  const input = new Uint8Array(bytes.length + 72);
  input.set(bytes);
  const output = new Uint8Array(32);
  writeSha256(input, bytes.length, output, 0);
  return output;
}

function compress(input: Uint8Array, from: number): void {
  const w = schedule;
  const k = roundConstants;
  for (let i = 0, at = from; i < 16; i++, at += 4) {
    w[i] =
      ((input[at] as number) << 24) |
      ((input[at + 1] as number) << 16) |
      ((input[at + 2] as number) << 8) |
      (input[at + 3] as number);
  }
  for (let i = 16; i < 64; i++) {
    const x = w[i - 15] as number;
    const y = w[i - 2] as number;
    const s0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3);
    const s1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10);
    w[i] = ((w[i - 16] as number) + s0 + (w[i - 7] as number) + s1) | 0;
  }
  let a = state[0] as number;
  let b = state[1] as number;
  let c = state[2] as number;
  let d = state[3] as number;
  let e = state[4] as number;
  let f = state[5] as number;
  let g = state[6] as number;
  let h = state[7] as number;
  for (let i = 0; i < 64; i++) {
    const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
    const t1 = (h + s1 + (g ^ (e & (f ^ g))) + (k[i] as number) + (w[i] as number)) | 0;
    const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
    const t2 = (s0 + ((a & b) | (c & (a | b)))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + t1) | 0;
    d = c;
    c = b;
    b = a;
    a = (t1 + t2) | 0;
  }
  state[0] = (state[0] as number) + a;
  state[1] = (state[1] as number) + b;
  state[2] = (state[2] as number) + c;
  state[3] = (state[3] as number) + d;
  state[4] = (state[4] as number) + e;
  state[5] = (state[5] as number) + f;
  state[6] = (state[6] as number) + g;
  state[7] = (state[7] as number) + h;
}
