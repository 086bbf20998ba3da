import type { Cell } from "./Cell.ts";
import { type Codec, loadCell, storeCell } from "./codec.ts";

/**
 * ^X that is read on demand: large structures are read only where needed, and parts that a proof leaves out do not
 * prevent reading the rest.
 */
export class Linked<T> {
  readonly cell: Cell;
  readonly #codec: Codec<T>;

  constructor(cell: Cell, codec: Codec<T>) {
    this.cell = cell;
    this.#codec = codec;
  }

  /** Reads the whole cell on each call. */
  load(): T {
    return loadCell(this.#codec, this.cell);
  }

  /** A link of the same kind to another value. */
  with(value: T): Linked<T> {
    return new Linked(storeCell(this.#codec, value), this.#codec);
  }
}

export function linked<T>(codec: Codec<T>): Codec<Linked<T>> {
  return {
    load: (slice) => new Linked(slice.loadRef(), codec),
    store: (builder, value) => void builder.storeRef(value.cell),
  };
}

/** Wraps a value for a field that is a link. */
export function makeLinked<T>(codec: Codec<T>, value: T): Linked<T> {
  return new Linked(storeCell(codec, value), codec);
}
