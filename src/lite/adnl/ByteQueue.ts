import { concatBytes } from "../../lib/bytes.ts";

const mergedUpTo = 16_384;

function merges(last: Uint8Array, tail: Uint8Array): boolean {
  return last.length <= tail.length && last.length + tail.length <= mergedUpTo;
}

/** Bytes that arrive in pieces of any size and are read in pieces of given sizes. */
export class ByteQueue {
  #chunks: Uint8Array[] = [];
  #length = 0;

  get length(): number {
    return this.#length;
  }

  push(chunk: Uint8Array): void {
    this.#length += chunk.length;
    let tail = chunk;
    // Small pieces are merged, so that a stream of single bytes does not cost an object per byte.
    for (let last = this.#chunks.at(-1); last !== undefined && merges(last, tail); last = this.#chunks.at(-1)) {
      this.#chunks.pop();
      tail = concatBytes([last, tail]);
    }
    this.#chunks.push(tail);
  }

  /**
   * The next `length` bytes without removing them; undefined until they have arrived. A view if they are in one piece.
   */
  peek(length: number): Uint8Array | undefined {
    if (this.#length < length) return undefined;
    const first = this.#chunks[0];
    if (first === undefined || first.length < length) {
      // Pieces are joined once and kept joined, so that a frame in a thousand pieces is copied once.
      this.#chunks = [concatBytes(this.#chunks)];
    }
    return this.#chunks[0]?.subarray(0, length);
  }

  /** Removes and returns the next `length` bytes; undefined until they have arrived. */
  take(length: number): Uint8Array | undefined {
    const taken = this.peek(length);
    const first = this.#chunks[0];
    if (taken !== undefined && first !== undefined) {
      this.#length -= length;
      if (first.length === length) this.#chunks.shift();
      else this.#chunks[0] = first.subarray(length);
    }
    return taken;
  }
}
