/** A source text without comments, with each string literal replaced by its index in double quotes. */
export interface Scanned {
  readonly code: string;
  readonly strings: readonly string[];
}

/** One import of any form; `path` is undefined if it is computed. */
export interface FoundImport {
  readonly path: string | undefined;
  /** The names between the braces, as exported by the imported file. */
  readonly names: readonly string[];
  /** Whether it imports everything: `* as name` or `export *`. */
  readonly takesAll: boolean;
}

const wordsBeforeRegex = /\b(?:return|typeof|case|in|of|void|delete|throw|new|else|do|instanceof|await|yield)$/;
/** Code in which nothing begins or ends. */
const plainCode = /[^/"'`{}]+/y;
const regexLiteral = /\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y;

export function scanSource(source: string): Scanned {
  const scanner = new SourceScanner(source);
  return { code: scanner.readCode(false), strings: scanner.strings };
}

/** A small lexer, exact for formatted sources. */
class SourceScanner {
  readonly strings: string[] = [];
  readonly #source: string;
  #at = 0;

  constructor(source: string) {
    this.#source = source;
  }

  /** Reads code up to the end, or to the closing brace of a template expression. */
  readCode(inHole: boolean): string {
    let code = "";
    for (let depth = 0; this.#at < this.#source.length; ) {
      const token = this.#readToken(code);
      depth += token === "{" ? 1 : token === "}" ? -1 : 0;
      if (inHole && depth < 0) return code;
      code += token;
    }
    return code;
  }

  #readToken(codeBefore: string): string {
    plainCode.lastIndex = this.#at;
    const plain = plainCode.exec(this.#source)?.[0];
    if (plain !== undefined) {
      this.#at += plain.length;
      return plain;
    }
    const [mark = "", next] = this.#source.slice(this.#at, this.#at + 2);
    if (mark === "/" && next === "/") return this.#skipTo("\n", 0);
    if (mark === "/" && next === "*") return this.#skipTo("*/", 2);
    if (mark === '"' || mark === "'") return this.#readQuoted(mark);
    if (mark === "`") return this.#readTemplate();
    if (mark === "/" && regexMayStart(codeBefore)) return this.#readRegex();
    this.#at += 1;
    return mark;
  }

  #skipTo(mark: string, markLength: number): string {
    const found = this.#source.indexOf(mark, this.#at + 2);
    this.#at = found === -1 ? this.#source.length : found + markLength;
    return " ";
  }

  #keep(text: string): string {
    return `"${this.strings.push(text) - 1}"`;
  }

  #readQuoted(quote: string): string {
    const start = this.#at + 1;
    let end = start;
    while (end < this.#source.length && this.#source[end] !== quote) end += this.#source[end] === "\\" ? 2 : 1;
    this.#at = end + 1;
    return this.#keep(this.#source.slice(start, end));
  }

  /** A template without expressions is a string; with expressions it becomes a sum of strings and code. */
  #readTemplate(): string {
    const parts: string[] = [];
    let start = ++this.#at;
    while (this.#at < this.#source.length && this.#source[this.#at] !== "`") {
      if (this.#source.startsWith("${", this.#at)) {
        parts.push(this.#keep(this.#source.slice(start, this.#at)));
        this.#at += 2;
        parts.push(this.readCode(true));
        start = this.#at;
      } else {
        this.#at += this.#source[this.#at] === "\\" ? 2 : 1;
      }
    }
    parts.push(this.#keep(this.#source.slice(start, this.#at)));
    this.#at += 1;
    return parts.join("+");
  }

  /** A regular expression ends on its line; otherwise the slash is a division. */
  #readRegex(): string {
    regexLiteral.lastIndex = this.#at;
    const found = regexLiteral.exec(this.#source)?.[0];
    this.#at += found?.length ?? 1;
    return found === undefined ? "/" : this.#keep(found);
  }
}

/**
 * After a value a slash divides; after an operator, an opening bracket or certain keywords it starts a regular
 * expression.
 */
function regexMayStart(codeBefore: string): boolean {
  const before = codeBefore.slice(-20).trimEnd();
  return before === "" || /[([{,;:=!&|?+\-*%~^<>]$/.test(before) || wordsBeforeRegex.test(before);
}

const importForms = [
  // import "x" · import … from "x" · export … from "x"
  /(?<![.\w])(?:import|export)\b(?<clause>[^"();=]*?)\bfrom\s*"(?<string>\d+)"/g,
  /(?<![.\w])import\s*"(?<string>\d+)"/g,
  // import("x"), also as a type; a computed argument is unknown
  /(?<![.\w])(?:import|require)\s*\(\s*(?:"(?<string>\d+)"\s*[,)])?/g,
];

/** All imports of a scanned file: static, re-exports, side effects, dynamic and types. */
export function findImports({ code, strings }: Scanned): FoundImport[] {
  return importForms.flatMap((form) =>
    [...code.matchAll(form)].map(({ groups }) => ({
      path: groups?.string === undefined ? undefined : strings[Number(groups.string)],
      names: namesIn(groups?.clause ?? ""),
      takesAll: groups?.clause?.includes("*") === true,
    })),
  );
}

/** The names between the braces of an import or export clause, as exported by the imported file. */
export function namesIn(clause: string): string[] {
  const inBraces = clause.match(/\{([^}]*)\}/)?.[1] ?? "";
  return inBraces
    .split(",")
    .map(
      (part) =>
        part
          .trim()
          .replace(/^type\s+/, "")
          .split(/\s/)[0] ?? "",
    )
    .filter((name) => name !== "");
}

const exportLists = /(?<![.\w])export\s+(?:type\s+)?(?:\*(?:\s*as\s+\w+)?|\{[^}]*\})(?:\s*from\s*"\d+")?/g;
const importStatements = /(?<![.\w])import\b[^"();=]*"\d+"/g;

/** Whether a file only re-exports other files. */
export function onlyReExports({ code }: Scanned): boolean {
  const rest = code.replaceAll(exportLists, "").replaceAll(importStatements, "");
  return code.search(exportLists) !== -1 && /^[;\s]*$/.test(rest);
}
