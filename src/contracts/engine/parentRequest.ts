import { findHash, type Hash, hashToBase64 } from "../../model/Hash.ts";
import type { Details } from "./details.ts";

/**
 * The id of the relayed request that an action belongs to. Few actions have one, so it is stored among their details
 * and not in a column of its own; answers show it beside the details. No kind of action has a detail of this name.
 */
const key = "parent_gasless_action";

export function withParentRequest(details: Details, parent: Hash | undefined): Details {
  return parent === undefined ? details : { ...details, [key]: hashToBase64(parent) };
}

export function findParentRequest(details: Details): Hash | undefined {
  const parent = details[key];
  return typeof parent === "string" ? findHash(parent) : undefined;
}

/** The details that are shown. */
export function withoutParentRequest<D extends Details>(details: D): D {
  if (!(key in details)) return details;
  const { [key]: _, ...shown } = details;
  return shown as D;
}
