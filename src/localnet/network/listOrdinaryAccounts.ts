import { isCoded } from "../../lib/errors.ts";
import { type Address, makeAddress } from "../../model/Address.ts";
import { masterchain } from "../../model/block/BlockId.ts";
import { findConfigParam } from "../../model/config/ConfigParams.ts";
import { listKeys } from "../fork/findBranchKey.ts";
import type { ChainView } from "../ledger/ChainView.ts";

/** The accounts of a view without those that the configuration names: no chain can do without them. */
export function listOrdinaryAccounts(view: ChainView): readonly Address[] {
  const { config } = view;
  const named = ([0, 1, 2, 3, 4] as const).map((id) => findConfigParam(config, id));
  const special = new Set([...named, ...(findConfigParam(config, 31)?.keys() ?? [])]);
  return [view.head, ...view.topIds()].flatMap((id) => {
    const { root } = view.state(id).accounts.load();
    const keys = root === undefined ? [] : [...listKeys(root)];
    const ordinary = id.workchain === masterchain ? keys.filter((key) => !special.has(key)) : keys;
    return ordinary.map((key) => makeAddress(id.workchain, key)).filter((address) => isHere(view, address));
  });
}

/** Whether the account itself is here, and not only the place where it is. */
function isHere(view: ChainView, address: Address): boolean {
  try {
    return view.shardAccount(address).account.load().kind === "account";
  } catch (error) {
    if (isCoded(error, "cell/pruned")) return false;
    throw error;
  }
}
