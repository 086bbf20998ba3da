import type { Hash } from "../model/Hash.ts";
import type { Contract } from "./kit/contract.ts";
import { groupBy } from "./kit/groupBy.ts";
import { families } from "./registry.ts";

const interfaces: readonly Contract[] = families.flatMap((family) => family.interfaces);

/** The properties of a code that decide its interfaces. */
export interface KnownCode {
  readonly codeHash: Hash | undefined;
  /** Ids of its methods, each once; `undefined` when unknown. */
  readonly methods: readonly number[] | undefined;
}

/** The interface by code hash. */
const byCode: ReadonlyMap<Hash, readonly string[]> = new Map(
  interfaces.toReversed().flatMap(({ name, codes }) => codes.map((code) => [code, [name]] as const)),
);

/** Interfaces that require a method, by its id. */
const byMethod: ReadonlyMap<number, readonly Contract[]> = new Map(
  [
    ...groupBy(
      interfaces.flatMap((each) => each.methodIds.map((id) => ({ id, each }))),
      ({ id }) => id,
    ),
  ].map(([id, group]) => [id, group.map(({ each }) => each)] as const),
);

/**
 * Names of the interfaces of a code: the one that lists its hash, or else all whose methods it has, in alphabetical
 * order (v3-indexing §6).
 */
export function interfacesOf({ codeHash, methods }: KnownCode): readonly string[] {
  const listed = codeHash === undefined ? undefined : byCode.get(codeHash);
  if (listed !== undefined) return listed;
  const present = new Map<Contract, number>();
  for (const id of methods ?? [])
    for (const each of byMethod.get(id) ?? []) present.set(each, (present.get(each) ?? 0) + 1);
  const names: string[] = [];
  for (const [each, count] of present) if (count === each.methodIds.length) names.push(each.name);
  return names.sort();
}
