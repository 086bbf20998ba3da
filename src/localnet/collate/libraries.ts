import type { Cell } from "../../cell/Cell.ts";
import { unit } from "../../cell/codec.ts";
import { type Dictionary, makeDictionary } from "../../cell/dictionary.ts";
import { hashKey } from "../../cell/keys.ts";
import type { ShardAccount } from "../../model/Account.ts";
import type { Hash } from "../../model/Hash.ts";
import type { LibDescr } from "../../model/Library.ts";

type Published = Dictionary<Hash, LibDescr>;

/** Public libraries of an account by hash. */
function publicLibraries(shardAccount: ShardAccount): Map<Hash, Cell> {
  const account = shardAccount.account.load();
  const cells = new Map<Hash, Cell>();
  if (account.kind !== "account" || account.storage.state.kind !== "active") return cells;
  account.storage.state.init.libraries.forEach((library, hash) => {
    if (library.public) cells.set(hash, library.root);
  });
  return cells;
}

/** The masterchain's list of libraries after an account changed what it publishes. */
export function republish(published: Published, account: Hash, before: ShardAccount, after: ShardAccount): Published {
  const old = publicLibraries(before);
  const now = publicLibraries(after);
  let list = published;
  for (const [hash] of old) if (!now.has(hash)) list = withdraw(list, hash, account);
  for (const [hash, library] of now) if (!old.has(hash)) list = publish(list, hash, library, account);
  return list;
}

function publish(list: Published, hash: Hash, library: Cell, account: Hash): Published {
  const known = list.find(hash);
  const publishers = known?.publishers ?? makeDictionary(hashKey, unit, []);
  return list.set(hash, { library, publishers: publishers.set(account, true) });
}

function withdraw(list: Published, hash: Hash, account: Hash): Published {
  const known = list.find(hash);
  if (known === undefined) return list;
  const publishers = known.publishers.delete(account);
  return publishers.isEmpty ? list.delete(hash) : list.set(hash, { ...known, publishers });
}
