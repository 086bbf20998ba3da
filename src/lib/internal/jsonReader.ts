import { LibError, type LibErrorCode } from "../libErrors.ts";

/** Converting digits to a bigint takes more than linear time; nothing real has so many. */
const maxDigits = 1000;

const numberText = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const wholeNumber = /^-?[0-9]+$/;
const blanks = /[ \t\n\r]*/y;

/** Reads one JSON text by hand, where the platform's parser would lose digits, depth or the place of a mistake. */
export function parseJsonText(text: string, rules: JsonRules): unknown {
  const reader = new JsonReader(text, rules);
  return reader.readAll();
}

interface JsonRules {
  readonly maxDepth: number;
  readonly repeatedKeys: "last" | "refused";
}

/** An array or object whose end was not read yet; the key is the one whose value is read now. */
type Container =
  | { readonly end: "]"; readonly value: unknown[]; key: undefined }
  | { readonly end: "}"; readonly value: object; key: string };

/** Stands for a value that is not whole yet. */
const pending = Symbol("pending");

function put(container: Container, value: unknown): void {
  if (container.end === "]") {
    container.value.push(value);
  } else {
    // Defined, not assigned: assigning `__proto__` would change the prototype.
    Object.defineProperty(container.value, container.key, {
      value,
      writable: true,
      enumerable: true,
      configurable: true,
    });
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

  /** Arrays and objects that are open stand in a list, not on the call stack, whose depth nobody can promise. */
  readAll(): unknown {
    const open: Container[] = [];
    for (;;) {
      this.#skipBlanks();
      const value = this.#readBeginning(open);
      const whole = value === pending ? pending : this.#close(open, value);
      if (whole !== pending) return whole;
    }
  }

  /** Reads a scalar or an empty container, or opens one that has something in it. */
  #readBeginning(open: Container[]): unknown {
    const mark = this.#text[this.#at];
    if (mark !== "[" && mark !== "{") return this.#readScalar();
    if (open.length >= this.#rules.maxDepth)
      throw this.#error("lib/json-depth", `JSON deeper than ${this.#rules.maxDepth}`);
    this.#at += 1;
    this.#skipBlanks();
    const container: Container =
      mark === "[" ? { end: "]", value: [], key: undefined } : { end: "}", value: {}, key: "" };
    if (this.#take(container.end)) return container.value;
    this.#readKey(container);
    open.push(container);
    return pending;
  }

  /** Puts a value where it belongs and closes what ends behind it; gives the whole when nothing is open any more. */
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

  /** In an object, the name before a value. */
  #readKey(container: Container): void {
    if (container.key === undefined) return;
    this.#skipBlanks();
    if (this.#text[this.#at] !== '"') throw this.#unexpected("a property name");
    container.key = this.#readString();
    if (this.#rules.repeatedKeys === "refused" && Object.hasOwn(container.value, container.key))
      throw this.#error("lib/json", `the key ${JSON.stringify(container.key.slice(0, 80))} a second time`);
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
      // NaN, the code beyond the end, is caught here too.
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
      throw this.#error("lib/json", "a string with an escape JSON does not have", cause);
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
      throw this.#error("lib/json-size", `a number of ${digits.length} characters, allowed are ${maxDigits}`);
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

  #expect(mark: string, wanted: string): void {
    if (!this.#take(mark)) throw this.#unexpected(wanted);
  }

  #unexpected(wanted: string): LibError {
    const found = this.#text[this.#at];
    const what = found === undefined ? "the text ends" : `${JSON.stringify(found)} stands`;
    return this.#error("lib/json", `${what} where ${wanted} should be`);
  }

  #error(code: LibErrorCode, problem: string, cause?: unknown): LibError {
    const before = this.#text.slice(0, this.#at).split("\n");
    const line = before.length;
    const column = (before.at(-1)?.length ?? 0) + 1;
    const message = `bad JSON at line ${line}, column ${column}: ${problem}`;
    return new LibError(code, message, { data: { position: this.#at, line, column }, cause });
  }
}
