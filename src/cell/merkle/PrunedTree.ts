import { CellKind } from "../base/CellKind.ts";
import { CellError } from "../base/errors.ts";
import { Cell, type CellStorage } from "../Cell.ts";
import type { Hash } from "../Hash.ts";

/** A cell of the tree. */
interface Slot {
  /** The data of a pruned branch in its place: two bytes, its hash, its depth. */
  readonly branch: Buffer;
  /** A cell of a proof with its data, or the whole cell; none while it has not come. */
  content: Cell | undefined;
  handle: Cell | undefined;
}

const branchBits = 288;
const hashAt = 2;
const depthAt = 34;

/**
 * Trees of which only a part is known: what proofs about them have shown so far. Its cells have the hashes, depths and
 * levels of the whole trees, so everything that is made from them has, too. A cell that has not come is a leaf of
 * the kind `pruned` and level 0; reading it is `cell/pruned`. When it comes, everybody who holds it reads it.
 */
export class PrunedTree implements CellStorage {
  readonly #slots: Slot[] = [];
  readonly #byHash = new Map<Hash, number>();

  /** Adds a tree that is known to be right: the body of a proof, or a half of an update. */
  addRoot(body: Cell): Cell {
    return this.#handle(this.#add(body));
  }

  /**
   * Adds what a proof shows of a cell of the tree; anything else is `cell/proof`. A whole cell that no proof has left
   * out is there already, as a part of another one, or not needed.
   */
  add(body: Cell): void {
    const hash = body.hash(0);
    const isKnown = this.#byHash.has(hash);
    if (!isKnown && body.levelMask !== 0) throw new CellError("cell/proof", `cell ${hash} is not part of the tree`);
    if (isKnown) this.#add(body);
  }

  /** A cell by its hash, if it is a root, or a proof has shown it or left it out. */
  find(hash: Hash): Cell | undefined {
    const index = this.#byHash.get(hash);
    return index === undefined ? undefined : this.#handle(index);
  }

  /** Whether nothing is left out below a cell of the tree. The cells below a whole one are known to it only. */
  isWhole(cell: Cell): boolean {
    const index = this.#byHash.get(cell.hash());
    return index === undefined || this.#slot(index).content?.levelMask === 0;
  }

  child(index: number, ref: number): Cell {
    const { content } = this.#slot(index);
    if (content === undefined) throw new CellError("cell/underflow", `reference ${ref} of a pruned branch`);
    const below = content.ref(ref);
    return below.levelMask === 0 ? below : this.#handle(this.#indexOf(below));
  }

  depth(index: number): number {
    return this.#slot(index).branch.readUInt16BE(depthAt);
  }

  hash(index: number): Uint8Array {
    return this.#slot(index).branch;
  }

  lowestHash(index: number): Uint8Array {
    return this.#slot(index).branch;
  }

  hashOffset(): number {
    return hashAt;
  }

  hashAll(): void {}

  latest(index: number): Cell {
    return this.#handle(index);
  }

  #add(body: Cell): number {
    const waiting = [body];
    for (let cell = waiting.pop(); cell !== undefined; cell = waiting.pop()) {
      const slot = this.#slot(this.#indexOf(cell));
      // What a Merkle cell of the tree itself leaves out cannot be told from what the proof leaves out.
      const isHidden = cell.kind === CellKind.pruned || (cell.levelMask !== 0 && cell.kind >= CellKind.merkleProof);
      if (slot.content?.levelMask === 0 || isHidden) continue;
      if (slot.content === undefined || cell.levelMask === 0) {
        slot.content = cell;
        slot.handle = undefined;
      }
      if (cell.levelMask !== 0) waiting.push(...cell.refs());
    }
    return this.#indexOf(body);
  }

  #indexOf(cell: Cell): number {
    const hash = cell.hash(0);
    const known = this.#byHash.get(hash);
    if (known !== undefined) return known;
    const branch = Buffer.alloc(branchBits / 8);
    branch.set([CellKind.pruned, 1]);
    branch.set(cell.hashBytes(0), hashAt);
    branch.writeUInt16BE(cell.depth(0), depthAt);
    const index = this.#slots.push({ branch, content: undefined, handle: undefined }) - 1;
    this.#byHash.set(hash, index);
    return index;
  }

  #slot(index: number): Slot {
    return this.#slots[index] as Slot;
  }

  #handle(index: number): Cell {
    const slot = this.#slot(index);
    slot.handle ??= slot.content?.levelMask === 0 ? slot.content : this.#open(slot, index);
    return slot.handle;
  }

  #open({ branch, content }: Slot, index: number): Cell {
    if (content === undefined)
      return new Cell(branch, 0, branchBits, CellKind.pruned, 0, 0, this, index, undefined, undefined);
    const { bytes, dataAt, bitLength, kind, refCount } = content;
    return new Cell(bytes, dataAt, bitLength, kind, 0, refCount, this, index, undefined, undefined);
  }
}
