import { Cell } from "../../../src/cell/Cell.ts";
import { jettonMaster } from "../../../src/contracts/families/jetton/master.ts";
import { jettonWallet } from "../../../src/contracts/families/jetton/wallet.ts";
import { multisigOrder } from "../../../src/contracts/families/multisig/order.ts";
import { multisig } from "../../../src/contracts/families/multisig/wallet.ts";
import { nftItem } from "../../../src/contracts/families/nft/item.ts";
import { vesting } from "../../../src/contracts/families/vesting/contract.ts";
import {
  type ContractState,
  type Entity,
  EntityContext,
  isRefusal,
  type MethodCaller,
} from "../../../src/contracts/kit/entity.ts";

/** Entities whose data can be decoded without a run for some codes. */
export const decodedEntities: Readonly<Record<string, Entity<unknown, unknown>>> = {
  jettonMaster,
  jettonWallet,
  nftItem,
  multisig,
  multisigOrder,
  vesting,
};

/** Where decoded data differs from the result of get-methods; skips entities that cannot be decoded. */
export async function entityDifferences(account: ContractState, caller: MethodCaller): Promise<unknown[]> {
  const differences: unknown[] = [];
  for (const [kind, entity] of Object.entries(decodedEntities)) {
    const read = plain(entity.decode(account));
    if (read === undefined) continue;
    const run = plain(await runOrRefusal(entity, new EntityContext(account, caller)));
    if (JSON.stringify(read) !== JSON.stringify(run)) differences.push({ kind, read, run });
  }
  return differences;
}

/** The kinds of entities that the account's data can be decoded as. */
export function decodedKinds(account: ContractState): string[] {
  return Object.entries(decodedEntities).flatMap(([kind, entity]) =>
    entity.decode(account) === undefined ? [] : [kind],
  );
}

async function runOrRefusal(entity: Entity<unknown, unknown>, asking: EntityContext): Promise<unknown> {
  try {
    return await entity.run(asking);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return String(error);
  }
}

/** Converts cells to hashes and bigints to text, with sorted keys. */
function plain(value: unknown): unknown {
  if (typeof value === "bigint") return String(value);
  if (value instanceof Cell) return value.hash();
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== "object" || value === null) return value;
  const sorted = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(sorted.map(([name, each]) => [name, plain(each)]));
}
