import { LiteError } from "../errors.ts";

const maxBytesLength = 2 ** 24 - 1;
const lowestInt = -(2 ** 31);
const highestNat = 2 ** 32 - 1;
const lowestLong = -(2n ** 63n);
const highestLong = 2n ** 64n - 1n;

/** Writes TL values one after another into memory that grows as needed; `finish` returns it. */
export class TlWriter {
  #bytes: Uint8Array;
  #view: DataView;
  #length = 0;

  constructor(sizeHint = 256) {
    // Uninitialised memory, which is several times cheaper; every byte is overwritten.
    this.#bytes = Buffer.allocUnsafe(sizeHint);
    this.#view = new DataView(this.#bytes.buffer, this.#bytes.byteOffset, this.#bytes.length);
  }

  /** 32 bits, given signed or unsigned. */
  int(value: number): void {
    if (!Number.isInteger(value) || value < lowestInt || value > highestNat)
      throw new LiteError("lite/tl-value", `${value} is not a 32-bit number`);
    const at = this.#grow(4);
    this.#view.setInt32(at, value, true);
  }

  /** 64 bits, given signed or unsigned. */
  long(value: bigint): void {
    if (value < lowestLong || value > highestLong)
      throw new LiteError("lite/tl-value", `${value} is not a 64-bit number`);
    const at = this.#grow(8);
    this.#view.setBigInt64(at, value, true);
  }

  fixed(value: Uint8Array, length: number): void {
    if (value.length !== length) throw new LiteError("lite/tl-value", `${value.length} bytes instead of ${length}`);
    const at = this.#grow(length);
    this.#bytes.set(value, at);
  }

  bytes(value: Uint8Array): void {
    const length = value.length;
    if (length > maxBytesLength)
      throw new LiteError("lite/tl-value", `a byte string of ${length} bytes, longer than ${maxBytesLength}`);
    const head = length < 254 ? 1 : 4;
    const size = (head + length + 3) & ~3;
    const at = this.#grow(size);
    if (head === 1) this.#bytes[at] = length;
    else this.#view.setUint32(at, length * 256 + 254, true);
    this.#bytes.set(value, at + head);
    this.#bytes.fill(0, at + head + length, at + size);
  }

  text(value: string): void {
    this.bytes(Buffer.from(value, "utf8"));
  }

  /** The written bytes as a view: nothing may be written afterwards. */
  finish(): Uint8Array {
    // A plain view: a Buffer's `slice` does not copy, unlike that of a Uint8Array.
    return new Uint8Array(this.#bytes.buffer, this.#bytes.byteOffset, this.#length);
  }

  /** Reserves space and returns its offset; call it before using the memory, which it may replace. */
  #grow(length: number): number {
    const at = this.#length;
    this.#length = at + length;
    if (this.#length > this.#bytes.length) {
      const larger = Buffer.allocUnsafe(Math.max(this.#length, this.#bytes.length * 2));
      larger.set(this.#bytes.subarray(0, at));
      this.#bytes = larger;
      this.#view = new DataView(larger.buffer, larger.byteOffset, larger.length);
    }
    return at;
  }
}
