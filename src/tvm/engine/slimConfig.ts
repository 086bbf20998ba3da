import type { Cell } from "../../cell/Cell.ts";
import { makeLibrary, rebuildCell } from "../../cell/exotic.ts";
import { watchVisits } from "../../cell/visits.ts";
import { configFromRoot } from "../../model/config/ConfigParams.ts";
import type { Hash } from "../../model/Hash.ts";

/** The validator sets: nine tenths of a configuration's bytes, which hardly any get-method asks for. */
const leftOutIds: ReadonlySet<number> = new Set([32, 33, 34, 35, 36, 37]);

/** Every branch that leads to a validator set and to other parameters too, there or not, leads to one of these. */
const neighbours = [38, 39];

/** A configuration without validator sets. */
export interface SlimConfig {
  readonly root: Cell;
  /** Hashes of the branches left out; a library cell with the hash stands in the place of each. */
  readonly leftOut: readonly Hash[];
}

/**
 * Leaves the validator sets (parameters 32–37) out. The machine reads the configuration anew at every get-method, so
 * this makes most runs several times quicker; what matters is to notice when code asks for what is not there:
 *
 * - In the place of a branch that leads to such parameters only stands a library cell. Looking one up, with CONFIGPARAM
 *   or by any other way through the dictionary, opens that cell, fails for want of the library and is told as the
 *   missing library, even when the code catches the failure. The way to every other parameter is the same, gas too.
 * - Code could also take the hash or the size of the dictionary without entering it, or hand it back. For that it
 *   must first get hold of it, which the log of instructions tells (`vmLog.ts`).
 *
 * Whoever runs with a slim configuration runs again with the whole one when either is seen, so outcomes never differ.
 * A set that has no branch of its own stays: the machine itself looks for parameters beside it, and must not stumble.
 */
export function slimConfig(root: Cell): SlimConfig {
  const kept = watchVisits(root);
  const { params } = configFromRoot(kept.root);
  for (const id of [...configFromRoot(root).params.keys(), ...neighbours]) {
    if (!leftOutIds.has(id)) params.find(id);
  }
  const leftOut: Hash[] = [];
  const withoutUnread = (edge: Cell): Cell => {
    // A fork has two branches; a leaf has one reference, the parameter itself.
    if (edge.refCount !== 2) return edge;
    const branches = edge.refs().map((branch) => {
      if (kept.opened.has(branch)) return withoutUnread(branch);
      leftOut.push(branch.hash());
      return makeLibrary(branch.hash());
    });
    return rebuildCell(edge, branches);
  };
  return { root: withoutUnread(root), leftOut };
}
