import { LibError, type LibErrorCode } from "../libErrors.ts";

/** Converting digits to a bigint takes more than linear time; nothing real has so many. */
const maxDigits = 1000;

const numberText = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const wholeNumber = /^-?[0-9]+$/;
const blanks = /[ \t\n\r]*/y;

/** Reads one JSON text by hand, where the platform's parser would lose digits, depth or the place of a mistake. */
export function parseJsonText(text: string, maxDepth: number): unknown {
  const reader = new JsonReader(text, maxDepth);
  return reader.readAll();
}

class JsonReader {
  readonly #text: string;
  readonly #maxDepth: number;
  #at = 0;
  #depth = 0;

  constructor(text: string, maxDepth: number) {
    this.#text = text;
    this.#maxDepth = maxDepth;
  }

  readAll(): unknown {
    const value = this.#readValue();
    if (this.#at < this.#text.length) {
      throw this.#unexpected("the end");
    }
    return value;
  }

  /** Reads a value and the blanks on both its sides. */
  #readValue(): unknown {
    this.#skipBlanks();
    const value = this.#readBareValue();
    this.#skipBlanks();
    return value;
  }

  #readBareValue(): unknown {
    switch (this.#text[this.#at]) {
      case "{":
        return this.#nested(() => this.#readObject());
      case "[":
        return this.#nested(() => this.#readArray());
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

  #nested<T>(read: () => T): T {
    if (this.#depth >= this.#maxDepth) {
      throw this.#error("lib/json-depth", `JSON deeper than ${this.#maxDepth}`);
    }
    this.#depth += 1;
    this.#at += 1;
    const value = read();
    this.#depth -= 1;
    return value;
  }

  #readArray(): unknown[] {
    const items: unknown[] = [];
    this.#skipBlanks();
    if (this.#take("]")) {
      return items;
    }
    do {
      items.push(this.#readValue());
    } while (this.#take(","));
    this.#expect("]", "`,` or `]`");
    return items;
  }

  #readObject(): object {
    const object = {};
    this.#skipBlanks();
    if (this.#take("}")) {
      return object;
    }
    do {
      this.#readProperty(object);
    } while (this.#take(","));
    this.#expect("}", "`,` or `}`");
    return object;
  }

  #readProperty(object: object): void {
    this.#skipBlanks();
    if (this.#text[this.#at] !== '"') {
      throw this.#unexpected("a property name");
    }
    const key = this.#readString();
    this.#skipBlanks();
    this.#expect(":", "`:`");
    const value = this.#readValue();
    // Defined, not assigned: assigning `__proto__` would change the prototype.
    Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
  }

  #readString(): string {
    const start = this.#at;
    let escaped = false;
    for (this.#at += 1; ; this.#at += 1) {
      const code = this.#text.charCodeAt(this.#at);
      if (code === 0x22) {
        break;
      }
      // NaN, the code beyond the end, is caught here too.
      if (!(code >= 0x20)) {
        throw this.#unexpected("the rest of a string");
      }
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
    if (!this.#text.startsWith(word, this.#at)) {
      throw this.#unexpected("a value");
    }
    this.#at += word.length;
    return value;
  }

  #readNumber(): number | bigint {
    numberText.lastIndex = this.#at;
    const digits = numberText.exec(this.#text)?.[0];
    if (digits === undefined) {
      throw this.#unexpected("a value");
    }
    if (digits.length > maxDigits) {
      throw this.#error("lib/json-size", `a number of ${digits.length} characters, allowed are ${maxDigits}`);
    }
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
    if (found) {
      this.#at += 1;
    }
    return found;
  }

  #expect(mark: string, wanted: string): void {
    if (!this.#take(mark)) {
      throw this.#unexpected(wanted);
    }
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
