import type { Address } from "../../model/Address.ts";
import type { Facts } from "./Facts.ts";
import type { NodeKind } from "./kind.ts";
import { kindOf, type Match, opcodesOf, type Pattern } from "./pattern.ts";
import type { TraceNode } from "./TraceNode.ts";

/** A node to merge. */
export interface Made<T = unknown> {
  readonly kind: NodeKind<T>;
  readonly data: T;
  readonly failed: boolean;
  readonly mentions: readonly Address[];
  /** The nodes to merge; by default all that the match found. */
  readonly from: readonly TraceNode[] | undefined;
  /** Additional nodes. */
  readonly also: readonly TraceNode[];
}

export interface MadeOptions {
  readonly failed?: boolean;
  readonly mentions?: readonly (Address | undefined)[];
  readonly from?: readonly TraceNode[];
  readonly also?: readonly (TraceNode | undefined)[];
}

export function made<T>(kind: NodeKind<T>, data: T, options: MadeOptions = {}): Made<T> {
  return {
    kind,
    data,
    failed: options.failed ?? false,
    mentions: (options.mentions ?? []).filter((mention) => mention !== undefined),
    from: options.from,
    also: (options.also ?? []).filter((node) => node !== undefined),
  };
}

/** Recognises one action: a pattern, and what to build from the messages it found. */
export interface Matcher {
  readonly name: string;
  readonly pattern: Pattern;
  /** A trace must have one of these opcodes, or a node of this kind; without both any trace may match. */
  readonly opcodes: readonly number[] | undefined;
  readonly kind: NodeKind<unknown> | undefined;
  /** Returns an empty list when the messages are not such an action; a coded refusal means the same. */
  build(match: Match, facts: Facts): readonly Made[];
}

export interface MatcherDeclaration {
  readonly name: string;
  readonly pattern: Pattern;
  /** Where the pattern does not begin with a message of a known opcode, but contains one. */
  readonly opcodes?: readonly number[];
  readonly build: (match: Match, facts: Facts) => Made | readonly Made[] | undefined;
}

export function matcher({ name, pattern, opcodes = opcodesOf(pattern), build }: MatcherDeclaration): Matcher {
  return {
    name,
    pattern,
    opcodes,
    kind: kindOf(pattern),
    build: (match, facts) => {
      const outcome = build(match, facts);
      if (outcome === undefined) return [];
      return "kind" in outcome ? [outcome] : outcome;
    },
  };
}
