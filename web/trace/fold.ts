import { type FoldNode, listNodes, nodeHeight, type PictureNode, type TransactionNode } from "./model.ts";

/** Traces with more nodes than this are folded. */
export const foldBeyond = 60;
/** Minimum number of similar siblings to fold. */
const leastFolded = 4;

/** Draws similar siblings of a large trace as one node, except those that the user opened. */
export function fold(root: TransactionNode, opened: ReadonlySet<string>): TransactionNode {
  const order = listNodes(root);
  if (order.length <= foldBeyond) return root;
  const shapes = new Map<PictureNode, string>();
  const folded = new Map<PictureNode, PictureNode>();
  for (const node of order.toReversed()) {
    shapes.set(node, shapeOf(node, shapes));
    if (node.kind !== "transaction") folded.set(node, node);
    else folded.set(node, { ...node, children: foldChildren(node, opened, shapes, folded) });
  }
  const top = folded.get(root);
  return top?.kind === "transaction" ? top : root;
}

/** Equal for nodes that look the same, including everything below. Shapes are hashed to keep them short. */
function shapeOf(node: PictureNode, shapes: ReadonlyMap<PictureNode, string>): string {
  const below = node.children.map((child) => shapes.get(child) ?? "").join(",");
  if (node.kind !== "transaction") return "log";
  const { transaction, outcome, message } = node;
  const own = `${message?.opcode ?? ""} ${transaction.account_state_after.code_hash ?? ""} ${outcome}`;
  return hashText(`${own}[${below}]`);
}

/** A short hash of a long text; a collision only draws two nodes as one. */
function hashText(text: string): string {
  let [one, two] = [0xdeadbeef, 0x41c6ce57];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    one = Math.imul(one ^ code, 2654435761);
    two = Math.imul(two ^ code, 1597334677);
  }
  return `${(one >>> 0).toString(36)}${(two >>> 0).toString(36)}`;
}

function foldChildren(
  parent: TransactionNode,
  opened: ReadonlySet<string>,
  shapes: ReadonlyMap<PictureNode, string>,
  folded: ReadonlyMap<PictureNode, PictureNode>,
): PictureNode[] {
  const groups = new Map<string, PictureNode[]>();
  for (const child of parent.children) {
    const shape = child.kind === "transaction" ? (shapes.get(child) ?? "") : child.id;
    const group = groups.get(shape);
    if (group === undefined) groups.set(shape, [child]);
    else group.push(child);
  }
  return [...groups].flatMap(([shape, group]) => {
    const id = `${parent.id} ${shape}`;
    const members = group.filter((each) => each.kind === "transaction");
    if (members.length < leastFolded || opened.has(id)) return group.map((each) => folded.get(each) ?? each);
    return [makeFold(id, members)];
  });
}

function makeFold(id: string, members: readonly TransactionNode[]): FoldNode {
  return { kind: "fold", id, members, message: members[0]?.message, height: nodeHeight, children: [] };
}
