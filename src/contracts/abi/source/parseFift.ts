import type { Steps } from "../../../lib/sharing/steps.ts";

/** A word of Fift's assembler with its operands. */
export interface FiftWord {
  readonly kind: "word";
  readonly name: string;
  readonly operands: readonly string[];
  readonly at: FiftPlace;
}

/** Words in `:<{ }>`, one or two lists of them. */
export interface FiftBlock {
  readonly kind: "block";
  /** `IF` of `IF:<{ }>`. */
  readonly name: string;
  readonly bodies: readonly (readonly FiftItem[])[];
  readonly at: FiftPlace;
}

export type FiftItem = FiftWord | FiftBlock;

/** What the compiler's comments say of a place. */
export interface FiftPlace {
  /** The number in the last comment `// 12: …` before it. */
  readonly line: number | undefined;
  /** The values on the stack before it, the top last; `undefined` where no comment names them. */
  readonly names: readonly string[] | undefined;
}

export interface FiftProc {
  readonly name: string;
  readonly id: number;
  readonly body: readonly FiftItem[];
  readonly line: number | undefined;
}

/** The procedures of a text that Tolk's compiler wrote, by their names. */
export type FiftProgram = ReadonlyMap<string, FiftProc>;

const procOpener = /^PROC(?:INLINE|REF)?:<\{$/;
const opener = /^(\w+):<\{$/;
/** `}>`, `}>ELSE<{`, and what ends a block that began with `<{`. */
const closer = /^\}>(\w*)(<\{)?$/;
const operand = /^(?:-?\d+|s\d+|s\(-\d\)|c\d|[xb]\{[^}]*\})$/;
/** Numbers of Fift in another base. */
const otherNumber = /^(?:0b[01]{1,257}|0x[0-9a-fA-F]{1,65})$/;
const lineComment = /^\/\/ (\d{1,9}): /;
const procComment = /^\/\/ .*:(\d{1,9})$/;
const stackComment = "\t//";

/** Deeper blocks than this are no text of a compiler. */
const maxDepth = 200;

/** Lines that are read in a fraction of a millisecond. */
const linesAStep = 256;

/** Reads the assembler text of Tolk's compiler; `undefined` when it has another form. */
export function* parseFift(text: string): Steps<FiftProgram | undefined> {
  const reader = new FiftReader();
  for (const [at, line] of text.split("\n").entries()) {
    if (!reader.readLine(line)) return undefined;
    if (at % linesAStep === 0) yield;
  }
  return reader.finish();
}

interface OpenBlock {
  /** `PROC`, `IF`, or nothing for `<{`, whose end says what it is. */
  readonly name: string;
  readonly proc?: string;
  readonly at: FiftPlace;
  readonly bodies: FiftItem[][];
}

class FiftReader {
  readonly #procs = new Map<string, FiftProc>();
  /** Procedures and variables that are declared, by name. */
  readonly #ids = new Map<string, number>();
  readonly #open: OpenBlock[] = [];
  #line: number | undefined;
  #names: readonly string[] | undefined;
  #operands: string[] = [];
  #procCount = 0;
  #variableCount = 0;

  finish(): FiftProgram | undefined {
    return this.#open.length === 0 ? this.#procs : undefined;
  }

  /** Whether it could be read. */
  readLine(text: string): boolean {
    const trimmed = text.trim();
    const line = lineComment.exec(trimmed) ?? (this.#open.length === 0 ? procComment.exec(trimmed) : null);
    if (line !== null) this.#line = Number(line[1]);
    if (trimmed === "" || trimmed.startsWith("//")) return true;
    const commentAt = text.indexOf(stackComment);
    const tokens = (commentAt < 0 ? text : text.slice(0, commentAt)).trim().split(/\s+/);
    if (this.#open.length === 0) this.#readDeclaration(tokens);
    else if (!this.#readTokens(tokens)) return false;
    this.#names = commentAt < 0 ? undefined : readNames(text.slice(commentAt + stackComment.length));
    return true;
  }

  #readDeclaration(tokens: readonly string[]): void {
    const [first = "", second = "", third] = tokens;
    if (first === "DECLPROC") this.#ids.set(second, ++this.#procCount);
    else if (first === "DECLGLOBVAR") this.#ids.set(second, ++this.#variableCount);
    else if (second === "DECLMETHOD" && third !== undefined) this.#ids.set(third, Number(first));
    else if (procOpener.test(second))
      this.#open.push({ name: "PROC", proc: first, at: { line: this.#line, names: undefined }, bodies: [[]] });
  }

  #readTokens(tokens: readonly string[]): boolean {
    for (let at = 0; at < tokens.length; at++) {
      const token = tokens[at] ?? "";
      if (token === "<b") {
        // A cell that is built where it stands is one operand.
        while (at < tokens.length && tokens[at] !== "b>") at++;
        this.#operands.push("<b");
        continue;
      }
      if (!this.#readToken(token)) return false;
    }
    return true;
  }

  #readToken(token: string): boolean {
    const opened = token === "<{" ? "" : opener.exec(token)?.[1];
    if (opened !== undefined) {
      this.#open.push({ name: opened, at: this.#takePlace(), bodies: [[]] });
      return this.#open.length <= maxDepth;
    }
    const closed = closer.exec(token);
    if (closed !== null) return this.#close(closed[1] ?? "", closed[2] !== undefined);
    const known = this.#readOperand(token);
    if (known !== undefined) {
      this.#operands.push(known);
      return true;
    }
    const operands = this.#operands;
    this.#add({ kind: "word", name: token, operands, at: this.#takePlace() });
    return true;
  }

  #readOperand(token: string): string | undefined {
    const declared = this.#ids.get(token);
    if (declared !== undefined) return String(declared);
    if (token === "s()") return `s${this.#operands.pop() ?? ""}`;
    if (operand.test(token)) return token.replace(/[()]/g, "");
    return otherNumber.test(token) ? String(BigInt(token)) : undefined;
  }

  #close(word: string, goesOn: boolean): boolean {
    const block = this.#open.at(-1);
    if (block === undefined) return false;
    this.#names = undefined;
    if (goesOn) {
      block.bodies.push([]);
      return true;
    }
    this.#open.pop();
    if (block.proc === undefined)
      this.#add({ kind: "block", name: block.name || word, bodies: block.bodies, at: block.at });
    else this.#addProc(block.proc, block);
    return block.proc === undefined ? this.#open.length > 0 : true;
  }

  #addProc(name: string, { bodies, at }: OpenBlock): void {
    const id = this.#ids.get(name);
    if (id !== undefined) this.#procs.set(name, { name, id, body: bodies[0] ?? [], line: at.line });
  }

  #add(item: FiftItem): void {
    this.#open.at(-1)?.bodies.at(-1)?.push(item);
  }

  /** The place of what is read next; what is read after it on the same line has no names. */
  #takePlace(): FiftPlace {
    const place = { line: this.#line, names: this.#names };
    this.#names = undefined;
    this.#operands = [];
    return place;
  }
}

function readNames(comment: string): readonly string[] {
  const text = comment.trim();
  return text === "" ? [] : text.split(/\s+/);
}
