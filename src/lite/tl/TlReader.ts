import { LiteError } from "../errors.ts";

/** The longest input: the longest frame that the reference node accepts. */
export const maxTlBytes = 1 << 24;

const utf8 = new TextDecoder();

/**
 * Reads TL values one after another: little-endian, everything aligned to four bytes. Never reads past the end and
 * never allocates more than the input; byte strings are views into the input. Its error texts are those of the
 * reference node, so that a server built on it reports bad input in the same way.
 */
export class TlReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #at = 0;

  constructor(bytes: Uint8Array, maxBytes = maxTlBytes) {
    if (bytes.length > maxBytes)
      throw new LiteError("lite/tl", `${bytes.length} bytes of TL; the limit is ${maxBytes}`);
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get position(): number {
    return this.#at;
  }

  get remaining(): number {
    return this.#bytes.length - this.#at;
  }

  int(): number {
    return this.#view.getInt32(this.#take(4), true);
  }

  nat(): number {
    return this.#view.getUint32(this.#take(4), true);
  }

  long(): bigint {
    return this.#view.getBigInt64(this.#take(8), true);
  }

  fixed(length: number): Uint8Array {
    const at = this.#take(length);
    return this.#bytes.subarray(at, at + length);
  }

  bytes(): Uint8Array {
    const start = this.#at;
    const first = this.#view.getUint8(this.#take(4));
    if (first === 255) throw new LiteError("lite/tl", `Too big string found at ${start}`);
    const long = first === 254;
    const length = long ? this.#view.getUint32(start, true) >>> 8 : first;
    const head = long ? 4 : 1;
    this.#at = start;
    this.#take((head + length + 3) & ~3);
    return this.#bytes.subarray(start + head, start + head + length);
  }

  text(): string {
    return utf8.decode(this.bytes());
  }

  /**
   * The number of items of a vector; each takes at least four bytes, so an impossible count is refused before reading.
   */
  count(): number {
    const count = this.nat();
    if (count * 4 > this.remaining) throw new LiteError("lite/tl", `Wrong vector length ${count} at ${this.#at}`);
    return count;
  }

  /** Call when the value is complete: left-over bytes are an error. */
  end(): void {
    if (this.remaining > 0)
      throw new LiteError("lite/tl", `Too much data to fetch at ${this.#at}`, { data: { left: this.remaining } });
  }

  #take(length: number): number {
    const at = this.#at;
    if (length > this.#bytes.length - at) throw new LiteError("lite/tl", `Not enough data to read at ${at}`);
    this.#at = at + length;
    return at;
  }
}
