import { formatValue, nameOperation } from "../parts/message.ts";
import { labelSize } from "./lanes.ts";
import { layOut, type Placed } from "./layout.ts";
import type { PictureNode, TransactionNode } from "./model.ts";
import { clip, textWidth } from "./textWidth.ts";

export const nodeWidth = 150;
/** The longest text on an edge; longer ones are cut. */
export const maxLabel = 22;
/** The part of an edge that has no room for text: its bend and its arrow. */
const bareEdge = 50;
const leastGap = bareEdge + 60;
/** The largest distance between the left edges of two columns, of labels as wide as they can be. */
export const widestColumn = nodeWidth + bareEdge + maxLabel * labelSize;

/** A node with its position in the diagram. */
export interface Spot extends Placed<PictureNode> {
  readonly x: number;
  readonly parent: Spot | undefined;
}

export function placeAll(root: TransactionNode): Spot[] {
  const placed = layOut<PictureNode>(root);
  const columns = placeColumns(placed);
  const spots = new Map<PictureNode, Spot>();
  const parents = new Map<PictureNode, PictureNode>();
  for (const { node } of placed) for (const child of node.children) parents.set(child, node);
  for (const each of placed) {
    const above = parents.get(each.node);
    const parent = above === undefined ? undefined : spots.get(above);
    spots.set(each.node, { ...each, x: columns[each.depth] ?? 0, parent });
  }
  return [...spots.values()];
}

/** The left edge of each column: as far from the one before as the texts on the edges between them need. */
function placeColumns(placed: readonly Placed<PictureNode>[]): readonly number[] {
  const gaps: number[] = [];
  for (const { node, depth } of placed) gaps[depth] = Math.max(gaps[depth] ?? leastGap, gapBefore(node));
  const columns = [0];
  for (const gap of gaps.slice(1)) columns.push((columns.at(-1) ?? 0) + nodeWidth + gap);
  return columns;
}

/** A log has its text behind it. */
function gapBefore({ kind, message }: PictureNode): number {
  if (kind === "log") return leastGap;
  const words = [nameOperation(message), formatValue(message)].map((each) =>
    textWidth(clip(each, maxLabel), labelSize),
  );
  return Math.max(leastGap, bareEdge + Math.max(...words));
}

/**
 * How much a picture is made smaller so that its last column is not cut; it is scrolled when it would become too small
 * to read.
 */
export function fitScale(width: number, room: number): number {
  const scale = room / width;
  return scale >= 1 || scale < leastScale ? 1 : scale;
}

const leastScale = 0.7;

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
