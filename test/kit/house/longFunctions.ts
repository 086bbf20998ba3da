import { type ESTree, parseSync } from "vite";

/** A function over the limit, with its lines. */
export interface LongFunction {
  readonly name: string;
  readonly lines: number;
}

const functions = /^(?:FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/;

/** The functions and methods of a file that have more lines than the limit. */
export function findLongFunctions(path: string, source: string, limit: number): readonly LongFunction[] {
  // Parsing takes most of the time.
  if (source.split("\n").length <= limit) return [];
  const longFunctions: LongFunction[] = [];
  const visit = (value: unknown, name: string): void => {
    if (Array.isArray(value)) for (const part of value) visit(part, name);
    if (!isNode(value)) return;
    const own = nameOf(value) ?? name;
    const lines = source.slice(value.start, value.end).split("\n").length;
    if (functions.test(value.type) && lines > limit) longFunctions.push({ name: own, lines });
    // A part of few lines has no long function.
    if (lines > limit) for (const part of Object.values(value)) visit(part, own);
  };
  visit(parseSync(path, source).program, "");
  return longFunctions;
}

function nameOf(node: ESTree.Node): string | undefined {
  if ("id" in node && isNode(node.id) && node.id.type === "Identifier") return node.id.name;
  if ("key" in node && isNode(node.key) && "name" in node.key) return String(node.key.name);
  return undefined;
}

function isNode(value: unknown): value is ESTree.Node {
  return typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";
}
