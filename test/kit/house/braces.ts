import { type ESTree, parseSync } from "vite";

/** A body that breaks the brace style: it lacks required braces or has unneeded ones. */
export interface WrongBody {
  readonly start: number;
  readonly end: number;
  readonly needsBraces: boolean;
}

type Node = ESTree.Node;

/** Statements with their own bodies, which may keep braces. */
const hasBodies = /^(?:If|For|ForIn|ForOf|While|DoWhile|Try|Switch|Labeled)Statement$/;

/**
 * One brace style for the bodies of `if`, `else` and loops: a body of one statement on one line has no braces, every
 * other body has them. All branches of one `if` use the same style.
 */
export function findWrongBodies(path: string, source: string): readonly WrongBody[] {
  // Parsing takes most of the time.
  if (!/\b(?:if|for|while|do)\b/.test(source)) return [];
  const wrongBodies: WrongBody[] = [];
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) {
      value.forEach(visit);
    } else if (isNode(value)) {
      wrongBodies.push(...judgeBodies(bodiesOf(value), source));
      for (const part of Object.values(value)) {
        // The `else if` branches are checked together with the first `if`, so only their parts are visited.
        if (typeof part !== "object" || part === null) continue;
        if (value.type === "IfStatement" && part === value.alternate && part.type === "IfStatement") visitRest(part);
        else visit(part);
      }
    }
  };
  const visitRest = (rest: ESTree.IfStatement): void => {
    visit([rest.test, rest.consequent]);
    if (rest.alternate?.type === "IfStatement") visitRest(rest.alternate);
    else visit(rest.alternate);
  };
  visit(parseSync(path, source).program);
  return wrongBodies;
}

function judgeBodies(bodies: readonly Node[], source: string): WrongBody[] {
  const needsBraces = bodies.some((body) => isLong(body, source));
  return bodies
    .filter((body) => (body.type === "BlockStatement") !== needsBraces)
    .filter((body) => needsBraces || !mayKeepBraces(body))
    .map(({ start, end }) => ({ start, end, needsBraces }));
}

function bodiesOf(node: Node): readonly Node[] {
  switch (node.type) {
    case "IfStatement":
      return [node.consequent, ...(node.alternate ? restOf(node.alternate) : [])];
    case "ForStatement":
    case "ForInStatement":
    case "ForOfStatement":
    case "WhileStatement":
    case "DoWhileStatement":
      return [node.body];
    default:
      return [];
  }
}

function restOf(alternate: Node): readonly Node[] {
  return alternate.type === "IfStatement" ? bodiesOf(alternate) : [alternate];
}

function isLong(body: Node, source: string): boolean {
  if (body.type !== "BlockStatement") return source.slice(body.start, body.end).includes("\n");
  const [only, ...more] = body.body;
  if (only === undefined || more.length > 0) return true;
  const around = source.slice(body.start, only.start) + source.slice(only.end, body.end);
  return (
    only.type.endsWith("Declaration") || /\/[/*]/.test(around) || source.slice(only.start, only.end).includes("\n")
  );
}

/** A single `if` or loop inside braces may keep them. */
function mayKeepBraces(body: Node): boolean {
  return body.type === "BlockStatement" && body.body.every((statement) => hasBodies.test(statement.type));
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";
}
