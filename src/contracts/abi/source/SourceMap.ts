import type { Cell } from "../../../cell/Cell.ts";
import type { Codec } from "../../../cell/codec.ts";
import { Dictionary } from "../../../cell/dictionary.ts";
import type { Hash } from "../../../cell/Hash.ts";
import { intKey } from "../../../cell/keys.ts";
import { sliceOf } from "../../../cell/Slice.ts";
import { isCoded } from "../../../lib/errors.ts";
import type { Steps } from "../../../lib/sharing/steps.ts";
import type { Address } from "../../../model/Address.ts";
import { type CellSlice, machineSlice } from "../../../tvm/machine/CellSlice.ts";
import type { SourceFile, SourceLine } from "../files/sourceText.ts";
import { CodeAligner, type FoundWord } from "./alignCode.ts";
import { type FiftProc, parseFift } from "./parseFift.ts";

/** A code with the text that Tolk's compiler wrote for the assembler. */
export interface CompiledListing {
  readonly code: Cell;
  readonly fift: string;
  readonly files: readonly ListedFile[];
}

/** A file of a source; the comments of the text count its lines from `lineOffset` on. */
export interface ListedFile extends SourceFile {
  readonly lineOffset: number;
}

/** What a source map says of an instruction. */
export interface SourceEntry extends SourceLine {
  /** The compiled procedure whose code it is; `undefined` for code that several share. */
  readonly proc: string | undefined;
  /** The function that the line is a part of. */
  readonly function: string | undefined;
  /** The values on top of the stack before it, the top last; those of the compiler have no name. */
  readonly names: readonly (string | undefined)[] | undefined;
  /** The bit after it. */
  readonly end: number;
}

/** The source map of the code of an account, where its source is known and compiles to this code. */
export type FindSourceMap = (account: {
  readonly address: Address;
  readonly codeHash: Hash;
}) => Promise<SourceMap | undefined>;

/** Lines of a contract's source by the places of instructions in its code. */
export class SourceMap {
  readonly codeHash: Hash;
  readonly files: readonly SourceFile[];
  readonly #places: ReadonlyMap<Hash, ReadonlyMap<number, SourceEntry | undefined>>;
  readonly #procs: ReadonlyMap<number, string>;
  readonly #lines = new Map<string, readonly string[]>();

  constructor(
    { code, files }: CompiledListing,
    places: ReadonlyMap<Hash, ReadonlyMap<number, SourceEntry | undefined>>,
    procs: ReadonlyMap<number, string>,
  ) {
    this.codeHash = code.hash();
    this.files = files.map(({ name, text }) => ({ name, text }));
    this.#places = places;
    this.#procs = procs;
  }

  /** `operation` is the step at this place, as the machine shows it. */
  find(cell: Hash, bit: number, operation: string): SourceEntry | undefined {
    return this.#places.get(cell)?.get(operation.startsWith("implicit ") ? implicitAt(bit) : bit);
  }

  /** How many places it has. */
  get size(): number {
    let size = 0;
    for (const places of this.#places.values()) size += places.size;
    return size;
  }

  /** The name of a procedure by its number. */
  findProc(id: number): string | undefined {
    return this.#procs.get(id);
  }

  findText({ file, line }: SourceLine): string | undefined {
    let lines = this.#lines.get(file);
    if (lines === undefined) {
      lines = this.files.find(({ name }) => name === file)?.text.split("\n") ?? [];
      this.#lines.set(file, lines);
    }
    return lines[line - 1];
  }
}

/** Code within code ends where the instruction after it begins. */
function implicitAt(bit: number): number {
  return -1 - bit;
}

const methodBits = 19;
/** Procedures of a program. */
const maxProcs = 10_000;

/** The code of a method where it is, so that positions in it are those of the machine. */
const codeCodec: Codec<CellSlice> = {
  load: (slice) => {
    const code = machineSlice(slice);
    slice.skip(slice.remainingBits).skipRefs(slice.remainingRefs);
    return code;
  },
  store: () => undefined,
};

/** `undefined` when the text or the code has a form that compilers of Tolk do not write. */
export function* makeSourceMap(listing: CompiledListing): Steps<SourceMap | undefined> {
  const program = yield* parseFift(listing.fift);
  const methods = readMethods(listing.code);
  if (program === undefined || methods === undefined) return undefined;
  const places = new PlaceCollector(listing.files);
  const procs = new Map([...program.values()].map((proc) => [proc.id, proc]));
  const named = new Map([...procs].map(([id, proc]) => [String(id), proc]));
  const aligner = new CodeAligner(named, (word) => places.add(word));
  for (const [id, code] of methods) {
    const proc = procs.get(id);
    if (proc !== undefined) yield* aligner.align(proc, code);
  }
  return new SourceMap(listing, places.list(), new Map([...procs].map(([id, { name }]) => [id, plainName({ name })])));
}

/** Compilers write `run()` for a procedure `run`. */
function plainName({ name }: Pick<FiftProc, "name">): string {
  return name.replace(/\(\)$/, "");
}

function readMethods(code: Cell): readonly (readonly [id: number, code: CellSlice])[] | undefined {
  try {
    const slice = sliceOf(code);
    // SETCP 0; DICTPUSHCONST n
    if (slice.loadUint(16) !== 0xff00 || slice.loadUint(14) !== 0b11110100101001) return undefined;
    if (slice.loadUint(10) !== methodBits) return undefined;
    return new Dictionary(slice.loadRef(), intKey(methodBits), codeCodec).entries({ limit: maxProcs });
  } catch (error) {
    if (isCoded(error)) return undefined;
    throw error;
  }
}

class PlaceCollector {
  readonly #files: readonly (ListedFile & {
    readonly lineCount: number;
    readonly functions: readonly FunctionStart[];
  })[];
  readonly #places = new Map<Hash, Map<number, SourceEntry | undefined>>();

  constructor(files: readonly ListedFile[]) {
    this.#files = files.map((file) => ({
      ...file,
      lineCount: file.text.split("\n").length,
      functions: listFunctions(file.text),
    }));
  }

  list(): ReadonlyMap<Hash, ReadonlyMap<number, SourceEntry | undefined>> {
    return this.#places;
  }

  add({ proc, at, steps, implicit }: FoundWord): void {
    const line = this.#findLine(at.line);
    if (line === undefined) return;
    const own = { ...line, proc: plainName(proc) };
    const names = at.names?.map(readName);
    for (const [i, { cell, bit, end }] of steps.entries())
      this.#set(cell.hash(), bit, { ...own, names: i === 0 ? names : undefined, end });
    for (const { cell, bit } of implicit)
      this.#set(cell.hash(), implicitAt(bit), { ...own, names: undefined, end: bit });
  }

  /** Equal cells are one: what is different about them is not known. */
  #set(cell: Hash, bit: number, entry: SourceEntry): void {
    const places = this.#places.get(cell) ?? new Map<number, SourceEntry | undefined>();
    this.#places.set(cell, places);
    if (!places.has(bit)) {
      places.set(bit, entry);
      return;
    }
    const known = places.get(bit);
    if (known === undefined) return;
    const isSameLine = known.file === entry.file && known.line === entry.line;
    const proc = known.proc === entry.proc ? known.proc : undefined;
    const names = String(known.names) === String(entry.names) ? known.names : undefined;
    places.set(bit, isSameLine ? { ...known, proc, names } : undefined);
  }

  #findLine(counted: number | undefined): Pick<SourceEntry, "file" | "line" | "function"> | undefined {
    if (counted === undefined) return undefined;
    const found = this.#files.find(
      ({ lineOffset, lineCount }) => counted > lineOffset && counted <= lineOffset + lineCount,
    );
    if (found === undefined) return undefined;
    const line = counted - found.lineOffset;
    return { file: found.name, line, function: found.functions.findLast((each) => each.line <= line)?.name };
  }
}

interface FunctionStart {
  readonly line: number;
  readonly name: string;
}

const functionLine = /^\s*(?:get\s+)?(?:fun\s+)?([\w<>,? .`]+?)\s*\(/;

/** Functions begin with a line `fun name(`. */
function listFunctions(text: string): readonly FunctionStart[] {
  return text.split("\n").flatMap((line, at) => {
    if (!/^\s*(?:get\s+)?fun\s/.test(line)) return [];
    const name = functionLine.exec(line.slice(0, 200))?.[1];
    return name === undefined ? [] : { line: at + 1, name };
  });
}

/** Values of the compiler are numbered: `'12`; what is always the same is written behind a name: `i=0`. */
function readName(text: string): string | undefined {
  return text.startsWith("'") ? undefined : text.replace(/=.*$/, "");
}
