import fc from "fast-check";

/** A statement by what it contains; its own line throws a number that no other line has. */
type Statement =
  | { readonly kind: "assert" }
  | { readonly kind: "call"; readonly helper: number }
  | { readonly kind: "if" | "ifElse" | "while" | "repeat" | "try"; readonly body: readonly Statement[] };

const { statement } = fc.letrec<{ statement: Statement }>((tie) => ({
  statement: fc.oneof(
    { maxDepth: 3, depthSize: "small" },
    fc.constant<Statement>({ kind: "assert" }),
    fc.record({ kind: fc.constant("call" as const), helper: fc.nat(3) }),
    fc.record({
      kind: fc.constantFrom("if", "ifElse", "while", "repeat", "try"),
      body: fc.array(tie("statement"), { minLength: 1, maxLength: 4 }),
    }) as fc.Arbitrary<Statement>,
  ),
}));

/** A program of two files: the main one with these statements, and functions that are inlined or called. */
export const markedProgram = fc
  .array(statement, { minLength: 3, maxLength: 12 })
  .map((statements) => new ProgramWriter().write(statements));

const attributes = ["@inline", "@noinline", "@inline_ref", ""];

class ProgramWriter {
  #marker = 1000;

  write(statements: readonly Statement[]): ReadonlyMap<string, string> {
    const helpers = attributes.flatMap((attribute, at) => [
      ...(attribute === "" ? [] : [attribute]),
      `fun help${at}(x: int): int {`,
      this.#assert("    "),
      `    return x * ${at + 3} + 7;`,
      "}",
    ]);
    const main = [
      'import "helpers"',
      "fun onInternalMessage(in: InMessage) {",
      "    var x = in.body.remainingBitsCount();",
      ...statements.flatMap((each) => this.#lines(each, "    ")),
      "    contract.setData(beginCell().storeInt(x, 257).endCell());",
      "}",
    ];
    return new Map([
      ["main.tolk", `${main.join("\n")}\n`],
      ["helpers.tolk", `${helpers.join("\n")}\n`],
    ]);
  }

  #assert(indent: string): string {
    this.#marker += 1;
    return `${indent}assert (x != ${this.#marker * 3}) throw ${this.#marker};`;
  }

  #lines(statement: Statement, indent: string): readonly string[] {
    if (statement.kind === "assert") return [this.#assert(indent)];
    if (statement.kind === "call") return [`${indent}x += help${statement.helper}(x);`];
    const inner = statement.body.flatMap((each) => this.#lines(each, `${indent}    `));
    const rest = this.#assert(`${indent}    `);
    switch (statement.kind) {
      case "if":
        return [`${indent}if (x > 5) {`, ...inner, `${indent}}`];
      case "ifElse":
        return [`${indent}if (x > 6) {`, ...inner, `${indent}} else {`, rest, `${indent}}`];
      case "while":
        return [`${indent}while (x < 100) {`, ...inner, `${indent}    x += 9;`, `${indent}}`];
      case "repeat":
        return [`${indent}repeat (3) {`, ...inner, `${indent}    x += 11;`, `${indent}}`];
      case "try":
        return [`${indent}try {`, ...inner, `${indent}} catch (code) {`, rest, `${indent}    x += code;`, `${indent}}`];
    }
  }
}
