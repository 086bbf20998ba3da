import { layOut, type Placed } from "./layout.ts";
import type { PictureNode, TransactionNode } from "./model.ts";

/** Distance between the left edges of two columns. */
export const columnWidth = 294;

/** Room above the first row for the numbers of actions. */
const numberHeight = 18;

/** A node with its position in the diagram. */
export interface Spot extends Placed<PictureNode> {
  readonly x: number;
  readonly parent: Spot | undefined;
}

export function placeAll(root: TransactionNode): Spot[] {
  const placed = layOut<PictureNode>(root);
  const spots = new Map<PictureNode, Spot>();
  const parents = new Map<PictureNode, PictureNode>();
  for (const { node } of placed) for (const child of node.children) parents.set(child, node);
  for (const each of placed) {
    const above = parents.get(each.node);
    const parent = above === undefined ? undefined : spots.get(above);
    spots.set(each.node, { ...each, y: each.y + numberHeight, x: each.depth * columnWidth, parent });
  }
  return [...spots.values()];
}

/** The node in the direction of an arrow key. */
export function neighbour(spots: readonly Spot[], from: Spot, key: string): Spot | undefined {
  if (key === "ArrowLeft") return from.parent;
  if (key === "ArrowRight") {
    const children = spots.filter(({ parent }) => parent === from);
    return children[Math.floor((children.length - 1) / 2)];
  }
  if (key !== "ArrowUp" && key !== "ArrowDown") return undefined;
  const column = spots.filter(({ depth }) => depth === from.depth).toSorted((a, b) => a.y - b.y);
  return column[column.indexOf(from) + (key === "ArrowDown" ? 1 : -1)];
}
