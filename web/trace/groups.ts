import type { Action } from "../api/types.ts";
import { humanize } from "../format/names.ts";

/** The transactions of one action, drawn in one colour and with one number. */
export interface ActionGroup {
  readonly number: number;
  readonly title: string;
  readonly hue: number;
}

export interface ActionGroups {
  readonly list: readonly ActionGroup[];
  /** The group of a transaction, by its hash. */
  readonly of: ReadonlyMap<string, ActionGroup>;
}

/** More colours than these cannot be told apart. */
const maxGroups = 12;
/** Neighbouring numbers get colours far from each other. */
const hueStep = 137;

/** The groups of a trace. A transaction of several actions belongs to the smallest: that one says most about it. */
export function groupActions(actions: readonly Action[]): ActionGroups {
  const shown = actions.slice(0, maxGroups);
  const list = shown.map(
    ({ type }, at): ActionGroup => ({ number: at + 1, title: humanize(type), hue: (200 + at * hueStep) % 360 }),
  );
  const bySize = shown
    .map((action, at) => ({ hashes: action.transactions, group: list[at] }))
    .toSorted((a, b) => b.hashes.length - a.hashes.length);
  const of = new Map<string, ActionGroup>();
  for (const { hashes, group } of bySize) {
    if (group === undefined) continue;
    for (const hash of hashes) of.set(hash, group);
  }
  return { list, of };
}
