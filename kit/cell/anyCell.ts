import fc from "fast-check";
import { beginCell } from "../../src/cell/Builder.ts";
import type { Cell } from "../../src/cell/Cell.ts";

/** Random bits as text, which is readable in failure reports. */
export function anyBits(maxLength: number): fc.Arbitrary<string> {
  return fc
    .tuple(fc.uint8Array({ minLength: (maxLength + 7) >> 3, maxLength: (maxLength + 7) >> 3 }), fc.nat(maxLength))
    .map(([bytes, length]) => textOf(bytes).slice(0, length));
}

export function textOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(2).padStart(8, "0")).join("");
}

/** Converts bits in text form to bytes, padded with zeros. */
export function bytesOf(text: string): Uint8Array {
  const whole = text.padEnd((text.length + 7) & ~7, "0");
  return Uint8Array.from(whole.match(/.{8}/g) ?? [], (byte) => Number.parseInt(byte, 2));
}

export function cellOf(bits: string, refs: readonly Cell[] = []): Cell {
  const builder = beginCell().storeBits(bytesOf(bits), bits.length);
  for (const ref of refs) builder.storeRef(ref);
  return builder.cell();
}

/** A chain of cells, each the only child of the next; the last one has depth `depth`. */
export function chainOf(depth: number): Cell {
  let cell = cellOf("");
  for (let i = 0; i < depth; i++) cell = cellOf(i.toString(2), [cell]);
  return cell;
}

/** Random trees of ordinary cells; a cell may have several parents. */
export function anyTree(maxCells = 40): fc.Arbitrary<Cell> {
  const one = fc.record({ bits: anyBits(1023), refs: fc.array(fc.nat(1000), { maxLength: 4 }) });
  return fc.array(one, { minLength: 1, maxLength: maxCells }).map((list) => {
    const cells: Cell[] = [];
    for (const { bits, refs } of list) {
      // Indexes count from the newest cell, so that trees are deep and few cells stay unreferenced.
      const children = cells.length === 0 ? [] : refs.map((ref) => cells.at(-1 - (ref % cells.length)) as Cell);
      cells.push(cellOf(bits, children));
    }
    return cells.at(-1) as Cell;
  });
}
