/**
 * Memory for the data or the hashes of many built cells. The engine keeps up to 64 bytes beside the object of an array,
 * and moves even those when somebody takes a view of them: an allocation of its own for each cell takes longer than
 * building it. A piece is never used twice, so a slab lives as long as the last cell in it; slabs are small for that
 * reason.
 */
export class Slab<T extends Uint8Array> {
  readonly #make: () => T;
  #bytes: T;
  #tip = 0;

  constructor(make: () => T) {
    this.#make = make;
    this.#bytes = make();
  }

  /** Holds the piece that was taken last. */
  get bytes(): T {
    return this.#bytes;
  }

  /** Takes a piece of zeros and returns where it begins in `bytes`. It is smaller than a slab. */
  take(size: number): number {
    if (this.#tip + size > this.#bytes.length) {
      this.#bytes = this.#make();
      this.#tip = 0;
    }
    const at = this.#tip;
    this.#tip = at + size;
    return at;
  }

  /** Takes the end of a piece back, from `used` on, if nothing was taken after it. It must be zeros still. */
  giveBack(bytes: Uint8Array, end: number, used: number): void {
    if (bytes === this.#bytes && end === this.#tip) this.#tip = used;
  }
}

/** Larger ones are made and freed less often; with 8 KiB, the states of a chain take no more memory than with 2. */
const slabBytes = 8_192;

export const dataSlab = new Slab(() => new Uint8Array(slabBytes));
/** Buffers, because their part can be made text without a view of it. */
export const hashSlab = new Slab(() => Buffer.alloc(slabBytes));
