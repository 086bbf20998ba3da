import type { Action } from "./engine/Action.ts";
import { type TypeVersion, typeVersions } from "./engine/declareFamily.ts";
import { families } from "./registry.ts";

/** Names for groups of types; they may contain one another. v3.md §8.5. */
const typeSets: ReadonlyMap<string, ReadonlySet<string>> = makeTypeSets();

function makeTypeSets(): ReadonlyMap<string, ReadonlySet<string>> {
  const sets = new Map<string, Set<string>>();
  const add = (name: string, types: readonly string[]): void => {
    sets.set(name, new Set([...(sets.get(name) ?? []), ...types]));
  };
  typeVersions.forEach((version: TypeVersion, index) => {
    add(version, typeVersions.slice(0, index));
    for (const { types } of families) add(version, types[version] ?? []);
  });
  add("latest", typeVersions);
  for (const { types } of families) for (const [name, members] of Object.entries(types.sets ?? {})) add(name, members);
  return sets;
}

/** The types that a caller supports; those of v1 are always supported, and the default is the latest version. */
export function supportedTypes(names: readonly string[] = ["latest"]): ReadonlySet<string> {
  const types = new Set<string>();
  const seen = new Set<string>();
  const add = (name: string): void => {
    if (seen.has(name)) return;
    seen.add(name);
    const members = typeSets.get(name);
    if (members === undefined) types.add(name);
    else members.forEach(add);
  };
  for (const name of ["v1", ...names]) add(name);
  return types;
}

/** Whether a caller sees the action: it supports its type, and none of the events around it. */
export function isVisible(
  { type, ancestors }: Pick<Action, "type" | "ancestors">,
  supported: ReadonlySet<string>,
): boolean {
  return supported.has(type) && !ancestors.some((ancestor) => supported.has(ancestor));
}
