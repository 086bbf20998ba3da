import type { RoomCode } from "./errors.ts";
import { LibError } from "./errors.ts";

/** Converting digits to a bigint takes more than linear time; real numbers have fewer digits. */
const maxDigits = 1000;

const numberText = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const wholeNumber = /^-?[0-9]+$/;
const blanks = /[ \t\n\r]*/y;

/** Reading in steps: at every `yield` others may use the thread. */
export type ReadSteps<T> = Generator<undefined, T, undefined>;

/** How many characters are read before others may use the thread: less than a millisecond. */
const stepLength = 8192;

/**
 * Parses a JSON text where the platform's parser would lose digits, depth or the position of an error, or take long.
 */
export function parseJsonText(text: string, rules: JsonRules): ReadSteps<unknown> {
  const reader = new JsonReader(text, rules);
  return reader.readAll();
}

const wholeString = /"([^"\\]*)"([ \t\n\r]*:)?/y;

/**
 * Whether a property name seems to occur twice, in one object or in different ones. Each string is looked at once; an
 * escape or an unterminated string counts as doubt.
 */
export function namesTwice(text: string): boolean {
  const names = new Set<string>();
  for (let at = text.indexOf('"'); at !== -1; at = text.indexOf('"', wholeString.lastIndex)) {
    wholeString.lastIndex = at;
    const match = wholeString.exec(text);
    const [, name = "", colon] = match ?? [];
    if (match === null || (colon !== undefined && names.has(name))) return true;
    if (colon !== undefined) names.add(name);
  }
  return false;
}

export interface JsonRules {
  readonly maxDepth: number;
  readonly repeatedKeys: "last" | "refused";
}

/** An open array or object; the key is the one whose value is being read. */
type Container =
  | { readonly end: "]"; readonly value: unknown[]; key: undefined }
  | { readonly end: "}"; readonly value: Record<string, unknown>; key: string };

/** Marks a value that is not complete yet. */
const pending = Symbol("pending");

const ordinary = { writable: true, enumerable: true, configurable: true } as const;

function put(container: Container, value: unknown): void {
  if (container.end === "]") {
    container.value.push(value);
  } else if (container.key === "__proto__") {
    // Defined, not assigned: assigning would change the prototype.
    Object.defineProperty(container.value, container.key, { value, ...ordinary });
  } else {
    container.value[container.key] = value;
  }
}

class JsonReader {
  readonly #text: string;
  readonly #rules: JsonRules;
  #at = 0;

  constructor(text: string, rules: JsonRules) {
    this.#text = text;
    this.#rules = rules;
  }

  /** Open arrays and objects are in a list, not on the call stack, whose depth is limited. */
  *readAll(): ReadSteps<unknown> {
    const open: Container[] = [];
    for (let next = stepLength; ; ) {
      if (this.#at >= next) {
        next = this.#at + stepLength;
        yield;
      }
      this.#skipBlanks();
      const value = this.#readBeginning(open);
      const whole = value === pending ? pending : this.#close(open, value);
      if (whole !== pending) return whole;
    }
  }

  /** Reads a scalar or an empty container, or opens a container with content. */
  #readBeginning(open: Container[]): unknown {
    const mark = this.#text[this.#at];
    if (mark !== "[" && mark !== "{") return this.#readScalar();
    if (open.length >= this.#rules.maxDepth)
      throw this.#error("lib/json-depth", `JSON is nested too deep; the limit is ${this.#rules.maxDepth}`);
    this.#at += 1;
    this.#skipBlanks();
    const container: Container =
      mark === "[" ? { end: "]", value: [], key: undefined } : { end: "}", value: {}, key: "" };
    if (this.#take(container.end)) return container.value;
    this.#readKey(container);
    open.push(container);
    return pending;
  }

  /** Adds a value to its container and closes containers that end after it; returns the root when none is open. */
  #close(open: Container[], first: unknown): unknown {
    for (let value = first; ; ) {
      this.#skipBlanks();
      const container = open.at(-1);
      if (container === undefined) {
        if (this.#at < this.#text.length) throw this.#unexpected("the end");
        return value;
      }
      put(container, value);
      if (this.#take(",")) {
        this.#readKey(container);
        return pending;
      }
      this.#expect(container.end, `\`,\` or \`${container.end}\``);
      value = container.value;
      open.pop();
    }
  }

  /** The property name before a value of an object. */
  #readKey(container: Container): void {
    if (container.key === undefined) return;
    this.#skipBlanks();
    if (this.#text[this.#at] !== '"') throw this.#unexpected("a property name");
    container.key = this.#readString();
    if (this.#rules.repeatedKeys === "refused" && Object.hasOwn(container.value, container.key))
      throw this.#error("lib/json", `duplicate key ${JSON.stringify(container.key.slice(0, 80))}`);
    this.#skipBlanks();
    this.#expect(":", "`:`");
  }

  #readScalar(): unknown {
    switch (this.#text[this.#at]) {
      case '"':
        return this.#readString();
      case "t":
        return this.#readWord("true", true);
      case "f":
        return this.#readWord("false", false);
      case "n":
        return this.#readWord("null", null);
      default:
        return this.#readNumber();
    }
  }

  #readString(): string {
    const start = this.#at;
    let escaped = false;
    for (this.#at += 1; ; this.#at += 1) {
      const code = this.#text.charCodeAt(this.#at);
      if (code === 0x22) break;
      // NaN, the code after the end of the text, is also caught here.
      if (!(code >= 0x20)) throw this.#unexpected("the rest of a string");
      if (code === 0x5c) {
        escaped = true;
        this.#at += 1;
      }
    }
    this.#at += 1;
    return escaped ? this.#unescape(start) : this.#text.slice(start + 1, this.#at - 1);
  }

  #unescape(start: number): string {
    try {
      return JSON.parse(this.#text.slice(start, this.#at)) as string;
    } catch (cause) {
      this.#at = start;
      throw this.#error("lib/json", "a string with an invalid escape", cause);
    }
  }

  #readWord<T>(word: string, value: T): T {
    if (!this.#text.startsWith(word, this.#at)) throw this.#unexpected("a value");
    this.#at += word.length;
    return value;
  }

  #readNumber(): number | bigint {
    numberText.lastIndex = this.#at;
    const digits = numberText.exec(this.#text)?.[0];
    if (digits === undefined) throw this.#unexpected("a value");
    if (digits.length > maxDigits)
      throw this.#error("lib/json-size", `a number of ${digits.length} characters; the limit is ${maxDigits}`);
    this.#at += digits.length;
    const value = Number(digits);
    return wholeNumber.test(digits) && !Number.isSafeInteger(value) ? BigInt(digits) : value;
  }

  #skipBlanks(): void {
    blanks.lastIndex = this.#at;
    blanks.test(this.#text);
    this.#at = blanks.lastIndex;
  }

  #take(mark: string): boolean {
    const found = this.#text[this.#at] === mark;
    if (found) this.#at += 1;
    return found;
  }

  #expect(mark: string, text: string): void {
    if (!this.#take(mark)) throw this.#unexpected(text);
  }

  #unexpected(text: string): LibError {
    const found = this.#text[this.#at];
    const what = found === undefined ? "the text ends" : `${JSON.stringify(found)} stands`;
    return this.#error("lib/json", `${what} where ${text} should be`);
  }

  #error(code: RoomCode<"lib">, problem: string, cause?: unknown): LibError {
    let [line, lineAt] = [1, 0];
    for (let at = this.#text.indexOf("\n"); at !== -1 && at < this.#at; at = this.#text.indexOf("\n", lineAt)) {
      lineAt = at + 1;
      line += 1;
    }
    const column = this.#at - lineAt + 1;
    const message = `bad JSON at line ${line}, column ${column}: ${problem}`;
    return new LibError(code, message, { data: { position: this.#at, line, column }, cause });
  }
}
