import { supportedTypes } from "../../../contracts/visibility.ts";
import { arg } from "../../declare/argument.ts";
import { byHeader, textsArg } from "./args.ts";
import { refusal } from "./refusals.ts";

/**
 * Types of actions that the caller supports, and names of groups; a header may set one value for all requests. v3.md
 * §8.5
 */
export const supportedArgs = {
  supported_action_types: arg(
    "Types of actions that the caller understands; others are shown by the simpler actions that they consist of.",
    byHeader(textsArg, "x-actions-version"),
  ),
};

/** The action types of a request; the default is the latest version. */
export function readSupported(names: readonly string[]): ReadonlySet<string> {
  return names.length === 0 ? supportedTypes() : supportedTypes(names);
}

const typeName = /^[A-Za-z0-9_.]+$/;

/** Refuses what cannot be the name of a type. */
export function checkTypes(name: string, types: readonly string[]): readonly string[] {
  if (!types.every((type) => typeName.test(type))) throw refusal("badActionType", { name });
  return types;
}
