import { isCoded } from "../../lib/errors.ts";
import { mapInPieces } from "../../lib/sharing/mapInPieces.ts";
import { type Address, makeAddress } from "../../model/Address.ts";
import { masterchain } from "../../model/block/BlockId.ts";
import { findConfigParam } from "../../model/config/ConfigParams.ts";
import { listKeys } from "../fork/findBranchKey.ts";
import type { ChainView } from "../ledger/ChainView.ts";

/** The accounts of a view without those that the configuration names: no chain can do without them. */
export async function listOrdinaryAccounts(view: ChainView): Promise<readonly Address[]> {
  const { config } = view;
  const named = ([0, 1, 2, 3, 4] as const).map((id) => findConfigParam(config, id));
  const special = new Set([...named, ...(findConfigParam(config, 31)?.keys() ?? [])]);
  const accounts: (readonly Address[])[] = [];
  for (const id of [view.head, ...view.topIds()]) {
    const { workchain } = id;
    const { root } = view.state(id).accounts.load();
    const addresses = await mapInPieces(root === undefined ? [] : listKeys(root), (key) => {
      const address = makeAddress(workchain, key);
      const isSpecial = workchain === masterchain && special.has(key);
      return isSpecial || !isHere(view, address) ? [] : [address];
    });
    accounts.push(addresses.flat());
  }
  return accounts.flat();
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
