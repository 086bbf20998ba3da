import { supportedTypes } from "../../../contracts/engine/visibility.ts";
import { refusal } from "../refusals.ts";
import { byHeader, textsArg } from "./args.ts";

/** Types of actions that the caller knows, and shortcuts for many; by header one word for all. v3.md §8.5 */
export const supportedArgs = { supported_action_types: byHeader(textsArg, "x-actions-version") };

/** The types that a question's words stand for; none means the latest. */
export function readSupported(names: readonly string[]): ReadonlySet<string> {
  return names.length === 0 ? supportedTypes() : supportedTypes(names);
}

const typeName = /^[A-Za-z0-9_.]+$/;

/** Refuses what cannot be the name of a type. */
export function checkTypes(name: string, types: readonly string[]): readonly string[] {
  if (!types.every((type) => typeName.test(type))) throw refusal("badActionType", { name });
  return types;
}
