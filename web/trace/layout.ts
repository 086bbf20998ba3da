/**
 * Places the nodes of a tree in columns, left to right: no two overlap, a parent is centred on its children, equal
 * subtrees look equal. Linear time: the algorithm of Buchheim, Jünger and Leipert (2002), for nodes of different
 * heights and without recursion, because a trace may be thousands of messages deep.
 */

/** The input of the layout for one node. */
export interface LayoutInput<Node> {
  /** The space that the node needs in its column, including the margin. */
  readonly height: number;
  readonly children: readonly Node[];
}

export interface Placed<Node> {
  readonly node: Node;
  readonly depth: number;
  /** The centre of the node in its column; the top edge of the whole tree is at zero. */
  readonly y: number;
}

interface Tree<Node> {
  readonly node: Node;
  readonly height: number;
  readonly depth: number;
  readonly parent: Tree<Node> | undefined;
  /** Its index among its siblings. */
  readonly index: number;
  readonly children: Tree<Node>[];
  /** Position relative to the parent, before shifts. */
  prelim: number;
  /** Shift of all descendants. */
  mod: number;
  shift: number;
  change: number;
  /** Where a contour continues after its deepest node. */
  thread: Tree<Node> | undefined;
  /** The sibling of an earlier subtree that stands for this node; itself by default. */
  ancestor: Tree<Node> | undefined;
}

/** Every node with its position, parents before children. */
export function layOut<Node extends LayoutInput<Node>>(root: Node): Placed<Node>[] {
  const order = collect(root);
  for (let at = order.length - 1; at >= 0; at--) {
    const tree = order[at];
    if (tree !== undefined) placeChildren(tree);
  }
  const placed = addShifts(order);
  const top = placed.reduce((least, { y, node }) => Math.min(least, y - node.height / 2), Number.POSITIVE_INFINITY);
  return placed.map((each) => ({ ...each, y: each.y - top }));
}

function collect<Node extends LayoutInput<Node>>(root: Node): Tree<Node>[] {
  const order = [makeTree(root, undefined, 0)];
  for (let at = 0; at < order.length; at++) {
    const tree = order[at];
    if (tree === undefined) break;
    for (const [index, child] of tree.node.children.entries()) {
      const made = makeTree(child, tree, index);
      tree.children.push(made);
      order.push(made);
    }
  }
  return order;
}

function makeTree<Node extends LayoutInput<Node>>(
  node: Node,
  parent: Tree<Node> | undefined,
  index: number,
): Tree<Node> {
  const depth = parent === undefined ? 0 : parent.depth + 1;
  const moves = { prelim: 0, mod: 0, shift: 0, change: 0, thread: undefined, ancestor: undefined };
  return { node, height: node.height, depth, parent, index, children: [], ...moves };
}

/** Places the children of one node next to each other; their subtrees are already laid out. */
function placeChildren<Node>({ children }: Tree<Node>): void {
  let defaultAncestor = children[0];
  for (const child of children) {
    const middle = middleOf(child);
    const left = children[child.index - 1];
    child.prelim = left === undefined ? middle : left.prelim + distance(left, child);
    child.mod = child.children.length === 0 ? 0 : child.prelim - middle;
    if (left !== undefined && defaultAncestor !== undefined) defaultAncestor = apportion(child, left, defaultAncestor);
  }
  executeShifts(children);
}

function middleOf<Node>({ children }: Tree<Node>): number {
  const first = children[0];
  const last = children[children.length - 1];
  return first === undefined || last === undefined ? 0 : (first.prelim + last.prelim) / 2;
}

function distance<Node>(one: Tree<Node>, other: Tree<Node>): number {
  return (one.height + other.height) / 2;
}

const nextUpper = <Node>(tree: Tree<Node>) => tree.children[0] ?? tree.thread;
const nextLower = <Node>(tree: Tree<Node>) => tree.children[tree.children.length - 1] ?? tree.thread;

/** Moves a subtree away from those above it if their contours would collide, and joins the contours. */
function apportion<Node>(tree: Tree<Node>, left: Tree<Node>, defaultAncestor: Tree<Node>): Tree<Node> {
  let innerUpper: Tree<Node> | undefined = left;
  let innerLower: Tree<Node> | undefined = tree;
  let outerUpper: Tree<Node> = tree.parent?.children[0] ?? left;
  let outerLower: Tree<Node> = tree;
  let [sumInnerUpper, sumInnerLower, sumOuterUpper, sumOuterLower] = [
    innerUpper.mod,
    innerLower.mod,
    outerUpper.mod,
    outerLower.mod,
  ];
  let last: { upper: Tree<Node>; lower: Tree<Node> } = { upper: innerUpper, lower: innerLower };
  innerUpper = nextLower(innerUpper);
  innerLower = nextUpper(innerLower);
  while (innerUpper !== undefined && innerLower !== undefined) {
    outerUpper = nextUpper(outerUpper) ?? outerUpper;
    outerLower = nextLower(outerLower) ?? outerLower;
    outerLower.ancestor = tree;
    const gap = innerUpper.prelim + sumInnerUpper - (innerLower.prelim + sumInnerLower);
    const shift = gap + distance(innerUpper, innerLower);
    if (shift > 0) {
      moveSubtree(ancestorOf(innerUpper, tree, defaultAncestor), tree, shift);
      sumInnerLower += shift;
      sumOuterLower += shift;
    }
    sumInnerUpper += innerUpper.mod;
    sumInnerLower += innerLower.mod;
    sumOuterUpper += outerUpper.mod;
    sumOuterLower += outerLower.mod;
    last = { upper: innerUpper, lower: innerLower };
    innerUpper = nextLower(innerUpper);
    innerLower = nextUpper(innerLower);
  }
  if (nextLower(last.upper) !== undefined && nextLower(outerLower) === undefined) {
    outerLower.thread = nextLower(last.upper);
    outerLower.mod += sumInnerUpper - sumOuterLower;
  }
  if (nextUpper(last.lower) !== undefined && nextUpper(outerUpper) === undefined) {
    outerUpper.thread = nextUpper(last.lower);
    outerUpper.mod += sumInnerLower - sumOuterUpper;
    return tree;
  }
  return defaultAncestor;
}

function ancestorOf<Node>(inner: Tree<Node>, tree: Tree<Node>, defaultAncestor: Tree<Node>): Tree<Node> {
  const { ancestor = inner } = inner;
  return ancestor.parent === tree.parent ? ancestor : defaultAncestor;
}

/** Spreads the subtrees between the two evenly; applied later, in one pass. */
function moveSubtree<Node>(from: Tree<Node>, to: Tree<Node>, shift: number): void {
  const share = shift / (to.index - from.index);
  to.change -= share;
  to.shift += shift;
  from.change += share;
  to.prelim += shift;
  to.mod += shift;
}

function executeShifts<Node>(children: readonly Tree<Node>[]): void {
  let shift = 0;
  let change = 0;
  for (const child of children.toReversed()) {
    child.prelim += shift;
    child.mod += shift;
    change += child.change;
    shift += child.shift + change;
  }
}

function addShifts<Node>(order: readonly Tree<Node>[]): Placed<Node>[] {
  const sums = new Map<Tree<Node>, number>();
  return order.map((tree) => {
    const above = tree.parent === undefined ? undefined : sums.get(tree.parent);
    const sum = above ?? 0;
    sums.set(tree, sum + tree.mod);
    // The root has no siblings: it is centred on its children.
    const y = tree.parent === undefined ? middleOf(tree) : tree.prelim + sum;
    return { node: tree.node, depth: tree.depth, y };
  });
}
