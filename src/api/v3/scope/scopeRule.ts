/** How an argument keeps a list within the scope of the index. */
export type ScopeNeed<Name extends string = string> =
  /** All its accounts must be in the scope: then the index has everything about them. */
  | { readonly kind: "account"; readonly argument: Name }
  /** All its accounts must be in the scope, and only what they sent is asked for. */
  | { readonly kind: "sender"; readonly argument: Name }
  /** The scope must name it as a jetton. */
  | { readonly kind: "jetton"; readonly argument: Name }
  /** The scope must name it as a collection. */
  | { readonly kind: "collection"; readonly argument: Name }
  /** No scope makes a list by it complete: owners get tokens without taking part. */
  | { readonly kind: "never"; readonly argument: Name };

/** When an endpoint with arguments of these names answers on an index with a scope. */
export interface ScopeRule<Name extends string = string> {
  /** Whether the answer comes from the index: then a header says what the index covers. */
  readonly isIndexed: boolean;
  /** Of these arguments that are given, one must keep the answer within the scope. */
  readonly oneOf: readonly ScopeNeed<Name>[];
  /** Arguments that name single things: they are answered from whatever trace they came with, but not by nothing. */
  readonly keys: readonly Name[];
}

function need<const Kind extends ScopeNeed["kind"]>(kind: Kind) {
  return <const Name extends string>(argument: Name) => ({ kind, argument });
}

/** Needs by the name of an argument. */
export const by = {
  account: need("account"),
  sender: need("sender"),
  jetton: need("jetton"),
  collection: need("collection"),
  never: need("never"),
};

/** Answers from the index what one of the arguments keeps within the scope. */
export function within<const Name extends string>(
  oneOf: readonly ScopeNeed<Name>[],
  keys: readonly Name[] = [],
): ScopeRule<Name> {
  return { isIndexed: true, oneOf, keys };
}

/** Answers what the index has: there is nothing by which a request could be outside. */
export const allIndexed: ScopeRule<never> = within([]);

/** Does not answer from the index, or only adds to what was predicted. */
export const notIndexed: ScopeRule<never> = { isIndexed: false, oneOf: [], keys: [] };
