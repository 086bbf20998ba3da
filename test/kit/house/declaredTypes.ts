import { readFileSync } from "node:fs";

/** A type in a declaration file, as far as API answers use it. */
export type Declared =
  | { readonly kind: "plain"; readonly name: string }
  | { readonly kind: "named"; readonly name: string }
  | { readonly kind: "list"; readonly of: Declared }
  | { readonly kind: "record"; readonly of: Declared }
  | { readonly kind: "object"; readonly fields: ReadonlyMap<string, Field> };

interface Field {
  readonly isOptional: boolean;
  readonly type: Declared;
}

/** The types of a declaration file, by name. */
export type DeclaredTypes = ReadonlyMap<string, Declared>;

/** Parses a declaration file that uses only objects, lists, records and unions. */
export function readDeclared(path: string): DeclaredTypes {
  const tokens = readFileSync(path, "utf8").match(/[A-Za-z_]\w*|[{}[\]<>|&=;:,?']/g) ?? [];
  const types = new Map<string, Declared>();
  const reader = new TokenReader(tokens);
  for (let word = reader.next(); word !== ""; word = reader.next()) {
    if (word !== "interface" && word !== "type") continue;
    const name = reader.next();
    if (word === "type") reader.next();
    types.set(name, reader.type());
  }
  return types;
}

class TokenReader {
  readonly #tokens: readonly string[];
  #at = 0;

  constructor(tokens: readonly string[]) {
    this.#tokens = tokens;
  }

  next(): string {
    return this.#tokens[this.#at++] ?? "";
  }

  #skip(token: string): boolean {
    if (this.#tokens[this.#at] !== token) return false;
    this.#at += 1;
    return true;
  }

  /** Of a union or an intersection, keeps the last part that is not a primitive; ignores null. */
  type(): Declared {
    let type = this.#single();
    while (this.#skip("|") || this.#skip("&")) {
      const other = this.#single();
      if (other.kind !== "plain") type = other;
    }
    return type;
  }

  #single(): Declared {
    let type = this.#skip("{") ? this.#object() : this.#word(this.next());
    while (this.#skip("[")) {
      this.next();
      type = { kind: "list", of: type };
    }
    return type;
  }

  #word(word: string): Declared {
    if (word === "Array" || word === "Record") {
      this.next();
      let of = this.type();
      if (this.#skip(",")) of = this.type();
      this.next();
      return { kind: word === "Array" ? "list" : "record", of };
    }
    return { kind: /^[a-z]/.test(word) ? "plain" : "named", name: word };
  }

  #object(): Declared {
    const fields = new Map<string, Field>();
    while (!this.#skip("}")) {
      const name = this.next();
      const isOptional = this.#skip("?");
      this.next();
      fields.set(name, { isOptional, type: this.type() });
      this.#skip(";");
    }
    return { kind: "object", fields };
  }
}

/**
 * Where a value does not match its declared type: missing fields and values of a wrong kind, under the name of the
 * declaring type. Null matches everywhere.
 */
export function listDifferences(types: DeclaredTypes, name: string, value: unknown): readonly string[] {
  const found = new Set<string>();
  compare(types, { kind: "named", name }, value, name, found);
  return [...found].toSorted();
}

function compare(types: DeclaredTypes, type: Declared, value: unknown, path: string, found: Set<string>): void {
  if (value === null) return;
  switch (type.kind) {
    case "named":
      compare(types, types.get(type.name) ?? { kind: "plain", name: "unknown" }, value, type.name, found);
      return;
    case "plain":
      if (type.name !== "unknown" && typeof value !== type.name) found.add(`${path}: ${typeof value}`);
      return;
    case "list":
      if (!Array.isArray(value)) found.add(`${path}: no list`);
      else for (const each of value) compare(types, type.of, each, `${path}[]`, found);
      return;
    case "record":
      for (const each of Object.values(Object(value))) compare(types, type.of, each, `${path}{}`, found);
      return;
    case "object":
      for (const [key, field] of type.fields) {
        const own: unknown = Object(value)[key];
        if (own !== undefined) compare(types, field.type, own, `${path}.${key}`, found);
        else if (!field.isOptional) found.add(`${path}.${key}: absent`);
      }
  }
}
