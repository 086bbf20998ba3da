import type { ShardAccount } from "../../model/Account.ts";
import { type ConfigParams, configFromRoot } from "../../model/config/ConfigParams.ts";

/** The configuration is the first reference of its account's data; an account without data changes nothing. */
export function configOfAccount(shardAccount: ShardAccount, before: ConfigParams): ConfigParams {
  const account = shardAccount.account.load();
  if (account.kind !== "account" || account.storage.state.kind !== "active") return before;
  const { data } = account.storage.state.init;
  if (data === undefined || data.refCount === 0) return before;
  return { ...before, ...configFromRoot(data.ref(0)) };
}

/** Whether a change makes a key block: parameters with negative numbers do not count. */
export function isImportantChange(before: ConfigParams, after: ConfigParams): boolean {
  if (before.params.root?.hash() === after.params.root?.hash()) return false;
  const ids = new Set([...before.params.keys(), ...after.params.keys()].filter((id) => id >= 0));
  return [...ids].some((id) => before.params.find(id)?.hash() !== after.params.find(id)?.hash());
}
