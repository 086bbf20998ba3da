/** Gas of a call stack, the outermost function first. */
export interface StackGas {
  readonly frames: readonly string[];
  readonly gas: number;
}

/** One function or line of a flame graph: a part of the width of the function that called it. */
export interface FlameNode {
  readonly path: readonly string[];
  readonly name: string;
  readonly gas: number;
  readonly depth: number;
  /** From 0 to 1. */
  readonly x: number;
  readonly width: number;
}

interface Tree {
  gas: number;
  readonly below: Map<string, Tree>;
}

/** Narrower parts are not drawn, nor deeper calls. */
const leastWidth = 0.002;
const maxDepth = 24;
const maxNodes = 400;

/** The parts of a flame graph below a path of functions, the widest first among those with one caller. */
export function layOutFlame(stacks: readonly StackGas[], below: readonly string[]): readonly FlameNode[] {
  let tree = makeTree(stacks);
  for (const name of below) tree = tree.below.get(name) ?? { gas: 0, below: new Map() };
  const nodes: FlameNode[] = [];
  const whole = Math.max(1, tree.gas);
  const place = (parent: Tree, path: readonly string[], depth: number, start: number) => {
    let x = start;
    for (const [name, child] of [...parent.below].sort((a, b) => b[1].gas - a[1].gas)) {
      const width = child.gas / whole;
      if (width < leastWidth || depth >= maxDepth || nodes.length >= maxNodes) return;
      const own = [...path, name];
      nodes.push({ path: own, name, gas: child.gas, depth, x, width });
      place(child, own, depth + 1, x);
      x += width;
    }
  };
  place(tree, below, 0, 0);
  return nodes;
}

function makeTree(stacks: readonly StackGas[]): Tree {
  const root: Tree = { gas: 0, below: new Map() };
  for (const { frames, gas } of stacks) {
    root.gas += gas;
    let at = root;
    for (const name of frames) {
      const child = at.below.get(name) ?? { gas: 0, below: new Map() };
      at.below.set(name, child);
      child.gas += gas;
      at = child;
    }
  }
  return root;
}
