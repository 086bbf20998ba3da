import { asList, asRecord, asText } from "../../../kit/suite/record.ts";
import type { DetectedEntity } from "../../../src/contracts/detect.ts";
import type { Address } from "../../../src/model/Address.ts";

/** Values by their names in the recording. */
export type Fields = Readonly<Record<string, unknown>>;
const orNull = (address: Address | undefined): string | null => address ?? null;

/** The table and the fields of an entity in the recording of a network. */
function recordedFields(entity: DetectedEntity): readonly [table: string, fields: Fields] | undefined {
  switch (entity.kind) {
    case "jettonMaster": {
      const { totalSupply, mintable, admin } = entity;
      return ["jetton_masters", { total_supply: `${totalSupply}`, mintable, admin_address: orNull(admin) }];
    }
    case "jettonWallet": {
      const { balance, owner, jetton } = entity;
      return ["jetton_wallets", { balance: `${balance}`, owner, jetton }];
    }
    case "nftCollection": {
      const { nextItemIndex, owner } = entity;
      return ["nft_collections", { next_item_index: `${nextItemIndex}`, owner_address: orNull(owner) }];
    }
    case "nftItem": {
      const { isInit: init, index, collection, owner } = entity;
      const places = { collection_address: orNull(collection), owner_address: orNull(owner) };
      return ["nft_items", { init, index: `${index}`, ...places }];
    }
    case "nftSale": {
      const { isComplete: is_complete, marketplace, nft, nftOwner, fullPrice } = entity;
      const parties = { marketplace_address: marketplace, nft_address: nft, nft_owner_address: orNull(nftOwner) };
      return ["sales", { is_complete, ...parties, full_price: `${fullPrice}` }];
    }
    case "multisig": {
      const { nextOrderSeqno, threshold } = entity;
      return ["multisigs", { next_order_seqno: `${nextOrderSeqno}`, threshold: `${threshold}` }];
    }
    case "multisigOrder": {
      const { multisig, orderSeqno, threshold, isSentForExecution, approvalsNum } = entity;
      const numbers = { order_seqno: `${orderSeqno}`, threshold: `${threshold}`, approvals_num: `${approvalsNum}` };
      return ["orders", { multisig, ...numbers, sent_for_execution: isSentForExecution }];
    }
    case "vesting": {
      const { startAt, totalDuration, unlockPeriod, cliffDuration, totalAmount, sender, owner } = entity;
      const times = { start_time: `${startAt}`, total_duration: `${totalDuration}`, unlock_period: `${unlockPeriod}` };
      return [
        "vesting",
        { ...times, cliff_duration: `${cliffDuration}`, total_amount: `${totalAmount}`, sender, owner },
      ];
    }
    default:
      return undefined;
  }
}

const reported = new Set(["name", "owner_name", "address"]);

/** The tables of the recording by address, without fields that we do not have. */
export function recordedTables(state: Readonly<Record<string, unknown>>): Record<string, Record<string, Fields>> {
  return Object.fromEntries(Object.entries(state).map(([table, rows]) => [table, rowsByAddress(asList(rows))]));
}

function rowsByAddress(rows: readonly unknown[]): Record<string, Fields> {
  return Object.fromEntries(
    rows
      .map(asRecord)
      .map((row) => [
        asText(row.address),
        Object.fromEntries(Object.entries(row).filter(([name]) => !reported.has(name))),
      ]),
  );
}

/** Detected entities in the same tables. */
export function tablesOf(found: Iterable<readonly [Address, DetectedEntity]>): Record<string, Record<string, Fields>> {
  const tables: Record<string, Record<string, Fields>> = {};
  for (const [address, entity] of found) {
    const fields = recordedFields(entity);
    if (fields === undefined) continue;
    tables[fields[0]] = { ...tables[fields[0]], [address]: fields[1] };
  }
  return tables;
}
