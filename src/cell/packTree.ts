import { CellError } from "./base/errors.ts";
import { Cell, type CellStorage } from "./Cell.ts";

const hashBytes = 32;

/**
 * The root of a large tree without the cells below it: `open` reads the same tree again when one of those is touched.
 * It takes some hundred bytes, however large the tree is.
 */
export function packTree(root: Cell, open: () => Cell): Cell {
  const { bytes, dataAt, bitLength, kind, levelMask, refCount } = root;
  if (levelMask !== 0) throw new CellError("cell/level", "a tree with pruned branches cannot be packed");
  const size = (bitLength + 7) >> 3;
  const own = Buffer.alloc(hashBytes + size);
  own.set(root.hashBytes());
  own.set(bytes.subarray(dataAt, dataAt + size), hashBytes);
  const storage = new PackedTree(own, root.depth(), open);
  return new Cell(own, hashBytes, bitLength, kind, levelMask, refCount, storage, 0, undefined, undefined);
}

/** Storage of one cell whose hash and depth are known; its children are those of the opened tree. */
class PackedTree implements CellStorage {
  readonly #hash: Uint8Array;
  readonly #depth: number;
  readonly #open: () => Cell;
  /** While somebody holds a cell of the opened tree, each of its cells is one object. */
  #opened: WeakRef<Cell> | undefined;

  constructor(hash: Uint8Array, depth: number, open: () => Cell) {
    this.#hash = hash;
    this.#depth = depth;
    this.#open = open;
  }

  child(_index: number, ref: number): Cell {
    let root = this.#opened?.deref();
    if (root === undefined) {
      root = this.#open();
      this.#opened = new WeakRef(root);
    }
    return root.ref(ref);
  }

  depth(): number {
    return this.#depth;
  }

  hash(): Uint8Array {
    return this.#hash;
  }

  lowestHash(): Uint8Array {
    return this.#hash;
  }

  hashOffset(): number {
    return 0;
  }

  hashAll(): void {}
}
