import { CellKind } from "../../../cell/base/CellKind.ts";
import { Cell } from "../../../cell/Cell.ts";
import type { Steps } from "../../../lib/sharing/steps.ts";
import { supportedGlobalVersion } from "../../../tvm/globalVersion.ts";
import { CellSlice, cellSlice } from "../../../tvm/machine/CellSlice.ts";
import { instructions } from "../../../tvm/machine/interpreter/instructions.ts";
import { codesOf } from "../../../tvm/machine/interpreter/table.ts";
import { Continuation } from "../../../tvm/machine/StackValue.ts";
import { formOfShown, listForms } from "./fiftForms.ts";
import type { FiftBlock, FiftItem, FiftPlace, FiftProc, FiftWord } from "./parseFift.ts";

/** Where a step of the machine is. */
export interface CodePosition {
  readonly cell: Cell;
  readonly bit: number;
}

/** An instruction of a code. */
interface CodeStep extends CodePosition {
  readonly name: string;
  readonly form: string;
  /** The code that it has or refers to. */
  readonly codes: readonly CellSlice[];
  /** The bit after it. */
  readonly end: number;
  /** Jumps to the next cell and the return that follow it without an instruction. */
  readonly implicit: CodePosition[];
}

/** What a word of a procedure is in the code. */
export interface FoundWord {
  readonly proc: FiftProc;
  readonly at: FiftPlace;
  /** Its instructions. */
  readonly steps: readonly (CodePosition & { readonly end: number })[];
  /** Jumps and returns after it that no instruction makes. */
  readonly implicit: readonly CodePosition[];
}

interface Match {
  readonly item: FiftItem;
  readonly begin: number;
  readonly end: number;
  readonly inner: readonly Inner[];
}

/** The words of a block within a procedure, and their code. */
interface Inner {
  readonly body: readonly FiftItem[];
  readonly code: CellSlice | undefined;
  /** The number of the procedure that it is, if it is another one. */
  readonly proc?: string | undefined;
}

/** Instructions of all procedures together that are looked at, and how deep blocks are. */
const maxSteps = 1_000_000;
const maxDepth = 200;
/** Instructions that one word can be. */
const longestWord = 4;

const knownNames = new Set(instructions.map(({ name }) => formOfShown(name).split(" ")[0]));
/** Single blocks that run on a condition, and what is left of them when they are empty. */
const conditions: Readonly<Record<string, string>> = {
  IF: "POP s0",
  IFNOT: "POP s0",
  IFJMP: "IFRET",
  IFNOTJMP: "IFNOTRET",
};

/**
 * Finds the words of procedures in their code. Words and instructions are compared one by one from the beginning of a
 * block; after a difference, from its end. What is between stays unknown.
 */
export class CodeAligner {
  readonly #onWord: (word: FoundWord) => void;
  readonly #procs: ReadonlyMap<string, FiftProc>;
  #read = 0;
  #depth = 0;

  /** `procs`: all of the program, by their numbers. */
  constructor(procs: ReadonlyMap<string, FiftProc>, onWord: (word: FoundWord) => void) {
    this.#procs = procs;
    this.#onWord = onWord;
  }

  align(proc: FiftProc, code: CellSlice): Steps<void> {
    return this.#align(proc, proc.body, code);
  }

  *#align(proc: FiftProc, items: readonly FiftItem[], code: CellSlice): Steps<void> {
    if (this.#depth >= maxDepth) return;
    this.#depth += 1;
    const { steps, first } = yield* this.#readSteps(code);
    for (const match of findMatches(items, steps)) yield* this.#report(proc, match, steps, first);
    this.#depth -= 1;
  }

  *#report(proc: FiftProc, match: Match, all: readonly CodeStep[], first: readonly CodePosition[]): Steps<void> {
    const { item, begin, end, inner } = match;
    const steps = all.slice(begin, end);
    const implicit = [...(begin === 0 ? first : []), ...steps.flatMap((each) => each.implicit)];
    // A word that needs no instruction leaves what is before and after it alone.
    if (steps.length > 0) this.#onWord({ proc, at: item.at, steps, implicit });
    for (const { body, code, proc: id } of inner) {
      const called = id === undefined ? undefined : this.#procs.get(id);
      if (code !== undefined) yield* this.#align(called ?? proc, called?.body ?? body, code);
    }
    yield;
  }

  *#readSteps(
    code: CellSlice,
  ): Steps<{ readonly steps: readonly CodeStep[]; readonly first: readonly CodePosition[] }> {
    const steps: CodeStep[] = [];
    const first: CodePosition[] = [];
    let { cell, at, end, ref, refEnd } = code;
    const codes = codesOf(supportedGlobalVersion);
    while (this.#read < maxSteps) {
      const decoded = codes.codeOf(cell);
      const start = cell.dataAt * 8;
      while (at < end && this.#read++ < maxSteps) {
        const operation = decoded.operation(at, end, ref, refEnd);
        if (operation.bits === 0) return { steps, first };
        const text = decoded.show(operation);
        const [name = ""] = text.split(" ", 1);
        const own = { name, form: formOfShown(text), codes: codesIn(operation.data), implicit: [] };
        steps.push({ cell, bit: at - start, end: at + operation.bits - start, ...own });
        at += operation.bits;
        ref += operation.refs;
      }
      (steps.at(-1)?.implicit ?? first).push({ cell, bit: at - start });
      const next = ref < refEnd ? cell.ref(ref) : undefined;
      if (next === undefined || next.kind !== CellKind.ordinary) break;
      ({ cell, at, end, ref, refEnd } = cellSlice(next));
      this.#read += 1;
      yield;
    }
    return { steps, first };
  }
}

function codesIn(data: unknown): readonly CellSlice[] {
  if (data instanceof Continuation) return data.step instanceof CellSlice ? [data.step] : [];
  const cells = (Array.isArray(data) ? data : [data]).filter((each): each is Cell => each instanceof Cell);
  return cells.filter(({ kind }) => kind === CellKind.ordinary).map(cellSlice);
}

function findMatches(items: readonly FiftItem[], steps: readonly CodeStep[]): readonly Match[] {
  const found: Match[] = [];
  /** The number of matches before the first word that is not known. */
  let sure: number | undefined;
  let at = 0;
  for (const item of items) {
    const match = isUnknown(item) ? skipUnknown(item, steps, at) : matchItem(item, steps, at);
    if (match === undefined) break;
    if (isUnknown(item)) sure ??= found.length;
    found.push(match);
    at = match.end;
  }
  if (found.length === items.length && at === steps.length) return found.filter(({ item }) => !isUnknown(item));
  const before = found.slice(0, sure);
  return [...before, ...matchFromEnd(items.slice(before.length), steps, before.at(-1)?.end ?? 0)];
}

function matchFromEnd(items: readonly FiftItem[], steps: readonly CodeStep[], begin: number): readonly Match[] {
  const found: Match[] = [];
  let end = steps.length;
  for (const item of items.toReversed()) {
    const match = isUnknown(item) ? undefined : matchBefore(item, steps, begin, end);
    if (match === undefined) break;
    found.push(match);
    end = match.begin;
  }
  return found;
}

function matchBefore(item: FiftItem, steps: readonly CodeStep[], begin: number, end: number): Match | undefined {
  for (let at = end - 1; at >= Math.max(begin, end - longestWord); at--) {
    const match = matchItem(item, steps, at);
    if (match?.end === end) return match;
  }
  return undefined;
}

/** Words of a contract's own assembler that no instruction is named after. */
function isUnknown(item: FiftItem): boolean {
  if (item.kind === "block" || item.name === "INLINECALLDICT") return false;
  return listForms(item.name, item.operands).some((forms) =>
    forms.some((form) => !knownNames.has(form.split(" ", 1)[0])),
  );
}

/** One instruction, most likely. */
function skipUnknown(item: FiftItem, steps: readonly CodeStep[], at: number): Match | undefined {
  return at < steps.length ? { item, begin: at, end: at + 1, inner: [] } : undefined;
}

function matchItem(item: FiftItem, steps: readonly CodeStep[], at: number): Match | undefined {
  const found = item.kind === "word" ? matchWord(item, steps, at) : matchBlock(item, steps, at);
  return found && { item, begin: at, ...found };
}

type Found = Pick<Match, "end" | "inner">;

function matchWord({ name, operands }: FiftWord, steps: readonly CodeStep[], at: number): Found | undefined {
  const step = steps[at];
  if (name === "INLINECALLDICT" && step?.name === "CALLREF")
    return { end: at + 1, inner: [{ body: [], code: step.codes[0], proc: operands[0] }] };
  const word = name === "INLINECALLDICT" ? "CALLDICT" : name;
  const forms = listForms(word, operands).find((each) => each.every((form, i) => steps[at + i]?.form === form));
  return forms && { end: at + forms.length, inner: [] };
}

function matchBlock({ name, bodies }: FiftBlock, steps: readonly CodeStep[], at: number): Found | undefined {
  const [body = [], other] = bodies;
  if (!(name in conditions)) return matchPushed(steps, at, bodies, name === "CONT" ? undefined : name);
  if (other === undefined) return matchCondition(name, body, steps, at);
  const [yes, no] = name === "IFNOT" ? [other, body] : [body, other];
  if (no.length === 0) return matchCondition("IF", yes, steps, at);
  if (yes.length === 0) return matchCondition("IFNOT", no, steps, at);
  return matchElse(yes, no, steps, at);
}

/** Continuations for all bodies, and then the instruction that takes them. */
function matchPushed(
  steps: readonly CodeStep[],
  at: number,
  bodies: FiftBlock["bodies"],
  name: string | undefined,
): Found | undefined {
  const inner = bodies.map((body, i) => ({ body, code: codeOf(steps[at + i]) }));
  if (inner.some(({ code }) => code === undefined)) return undefined;
  const end = at + bodies.length;
  if (name === undefined) return { end, inner };
  return steps[end]?.form === name ? { end: end + 1, inner } : undefined;
}

/** The code that an instruction puts on the stack. */
function codeOf(step: CodeStep | undefined): CellSlice | undefined {
  return step !== undefined && /^PUSH(?:REF)?CONT$/.test(step.name) ? step.codes[0] : undefined;
}

function matchCondition(
  name: string,
  body: readonly FiftItem[],
  steps: readonly CodeStep[],
  at: number,
): Found | undefined {
  const step = steps[at];
  if (body.length === 0) return step?.form === conditions[name] ? { end: at + 1, inner: [] } : undefined;
  if (step?.name === `${name}REF`) return { end: at + 1, inner: [{ body, code: step.codes[0] }] };
  return matchPushed(steps, at, [body], name);
}

function matchElse(
  yes: readonly FiftItem[],
  no: readonly FiftItem[],
  steps: readonly CodeStep[],
  at: number,
): Found | undefined {
  const [step, next] = [steps[at], steps[at + 1]];
  if (step?.name === "IFREFELSEREF") {
    const [first, second] = step.codes;
    const inner = [
      { body: yes, code: first },
      { body: no, code: second },
    ];
    return { end: at + 1, inner };
  }
  const code = codeOf(step);
  if (code !== undefined && next?.name === "IFREFELSE") {
    const inner = [
      { body: yes, code: next.codes[0] },
      { body: no, code },
    ];
    return { end: at + 2, inner };
  }
  if (code !== undefined && next?.name === "IFELSEREF") {
    const inner = [
      { body: yes, code },
      { body: no, code: next.codes[0] },
    ];
    return { end: at + 2, inner };
  }
  return matchPushed(steps, at, [yes, no], "IFELSE");
}
