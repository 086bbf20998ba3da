import { CellKind } from "../../../cell/base/CellKind.ts";
import { Cell } from "../../../cell/Cell.ts";
import type { Codec } from "../../../cell/codec.ts";
import { Dictionary } from "../../../cell/dictionary.ts";
import { uintKey } from "../../../cell/keys.ts";
import { isCoded } from "../../../lib/errors.ts";
import { supportedGlobalVersion } from "../../globalVersion.ts";
import { CellSlice } from "../CellSlice.ts";
import { Continuation } from "../StackValue.ts";
import { showBits } from "../slices.ts";
import { codesOf } from "./table.ts";

/** A line of a listing. */
interface CodeLine {
  /** How many blocks are around it. */
  readonly depth: number;
  readonly text: string;
  /** The number of the method that begins here. */
  readonly method?: number;
}

/** The instructions of a code. */
export interface Listing {
  readonly lines: readonly CodeLine[];
  /** Whether the code has more lines than are listed. */
  readonly isCut: boolean;
}

/** Anybody may have made the code: cells that share parts can have any number of instructions. */
const maxLines = 20_000;
const maxDepth = 64;
const methodIdBits = 19;

/** Instructions that run what they refer to. */
const codeReference = /^(?:CALLREF|JMPREF|JMPREFDATA|PUSHREFCONT|IF\w*REF\w*)$/;
const restCodec: Codec<Cell> = { load: (slice) => slice.loadRest(), store: () => undefined };

/** The instructions of a code; referenced code is listed once, where it is first met. */
export function disassemble(code: Cell): Listing {
  const lister = new Lister();
  lister.listCell(code, 0);
  return { lines: lister.lines.slice(0, maxLines), isCut: lister.lines.length > maxLines };
}

class Lister {
  readonly lines: CodeLine[] = [];
  readonly #met = new Set<string>();

  listCell(cell: Cell, depth: number): void {
    const reason = this.#whyNot(cell, depth);
    if (reason !== undefined) {
      this.#add(depth, reason);
      return;
    }
    this.#met.add(cell.hash());
    const at = cell.dataAt * 8;
    this.#list(new CellSlice(cell, at, at + cell.bitLength, 0, cell.refCount), depth);
  }

  #whyNot(cell: Cell, depth: number): string | undefined {
    if (cell.kind !== CellKind.ordinary) return `(no code here: cell ${cell.hash().toUpperCase()})`;
    if (this.#met.has(cell.hash())) return `(listed above: ${cell.hash().toUpperCase()})`;
    return depth > maxDepth ? "(too deep)" : undefined;
  }

  #add(depth: number, text: string): void {
    this.lines.push({ depth, text });
  }

  #list(slice: CellSlice, depth: number): void {
    const code = codesOf(supportedGlobalVersion).codeOf(slice.cell);
    let { at, ref } = slice;
    while (at < slice.end && this.lines.length <= maxLines) {
      const operation = code.operation(at, slice.end, ref, slice.refEnd);
      // An invalid instruction has no size: what follows it is not known.
      if (operation.bits === 0) {
        const rest = new CellSlice(slice.cell, at, slice.end, ref, slice.refEnd);
        this.#add(depth, `(invalid) x${showBits(rest)}`);
        return;
      }
      this.#listOperation(code.show(operation), operation.data, depth);
      at += operation.bits;
      ref += operation.refs;
    }
    if (ref < slice.refEnd && this.lines.length <= maxLines) {
      this.#add(depth, "(goes on in the next cell)");
      this.listCell(slice.cell.ref(ref), depth);
    }
  }

  #listOperation(text: string, data: unknown, depth: number): void {
    const [name = "", ...operands] = text.split(" ");
    if (data instanceof Continuation && data.step instanceof CellSlice) {
      this.#add(depth, `${name} {`);
      this.#listNested(data.step, depth + 1);
      this.#add(depth, "}");
      return;
    }
    const cells = (Array.isArray(data) ? data : [data]).filter((each) => each instanceof Cell);
    if (cells.length > 0 && codeReference.test(name)) {
      this.#add(depth, [name, ...operands.filter((each) => !each.startsWith("("))].join(" "));
      for (const cell of cells) {
        this.#add(depth, "{");
        this.listCell(cell, depth + 1);
        this.#add(depth, "}");
      }
      return;
    }
    this.#add(depth, text);
    const [root] = cells;
    if (root !== undefined && text.startsWith(`DICTPUSHCONST ${methodIdBits} `)) this.#listMethods(root, depth + 1);
  }

  #listNested(slice: CellSlice, depth: number): void {
    if (depth > maxDepth) this.#add(depth, "(too deep)");
    else this.#list(slice, depth);
  }

  #listMethods(root: Cell, depth: number): void {
    for (const [method, code] of readMethods(root)) {
      if (this.lines.length > maxLines) return;
      this.lines.push({ depth, text: `method ${method}:`, method });
      this.listCell(code, depth + 1);
    }
  }
}

/** None of a dictionary that is none. */
function readMethods(root: Cell): readonly (readonly [method: number, code: Cell])[] {
  try {
    return new Dictionary(root, uintKey(methodIdBits), restCodec).entries({ limit: maxLines });
  } catch (error) {
    if (isCoded(error)) return [];
    throw error;
  }
}
