import type { NodeKind } from "./kind.ts";
import type { Matcher } from "./matcher.ts";
import { isCall } from "./nodes.ts";
import type { TraceNode } from "./TraceNode.ts";

/**
 * Which matchers of a list a trace can begin. Most traces have few opcodes and no merged nodes, and most matchers begin
 * with a message of an opcode or with a node that an earlier matcher made.
 */
export class MatcherIndex {
  readonly list: readonly Matcher[];
  readonly #byOpcode = new Map<number, number[]>();
  readonly #byKind = new Map<NodeKind<unknown>, number[]>();
  /** A mark for each matcher, set for those that any node may begin. */
  readonly #always: Uint8Array;

  constructor(list: readonly Matcher[]) {
    this.list = list;
    this.#always = new Uint8Array(list.length);
    for (const [at, { opcodes, kind }] of list.entries()) {
      for (const opcode of opcodes ?? []) append(this.#byOpcode, opcode, at);
      if (kind !== undefined) append(this.#byKind, kind, at);
      if (opcodes === undefined && kind === undefined) this.#always[at] = 1;
    }
  }

  /** A mark for each matcher, in order, set for those that one of the nodes may begin. */
  mark(nodes: readonly TraceNode[]): Uint8Array {
    const marks = this.#always.slice();
    for (const node of nodes) {
      const opcode = isCall(node) ? node.data.opcode : undefined;
      if (opcode !== undefined) setAll(marks, this.#byOpcode.get(opcode));
      setAll(marks, this.#byKind.get(node.kind as NodeKind<unknown>));
    }
    return marks;
  }
}

function append<K>(into: Map<K, number[]>, key: K, at: number): void {
  const known = into.get(key);
  if (known === undefined) into.set(key, [at]);
  else known.push(at);
}

function setAll(marks: Uint8Array, places: readonly number[] | undefined): void {
  if (places !== undefined) for (const at of places) marks[at] = 1;
}
