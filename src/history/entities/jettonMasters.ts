import type { JsonObject } from "../../lib/json.ts";
import { address, amount, bool, hash, json, nullable } from "../store/schema/columns.ts";
import { keepNewestAndFirstId } from "../store/schema/conflictRule.ts";
import { table } from "../store/schema/Table.ts";
import { indexedEntity } from "./indexedEntity.ts";
import { listedColumns, stateColumns } from "./sharedColumns.ts";

export const jettonMasters = table("jetton_masters", {
  ...listedColumns,
  totalSupply: amount,
  mintable: bool,
  adminAddress: nullable(address),
  jettonContent: nullable(json<JsonObject>()),
  jettonWalletCodeHash: hash,
  ...stateColumns,
});

export const jettonMasterEntity = indexedEntity({
  table: jettonMasters,
  account: "address",
  key: ["address"],
  conflict: keepNewestAndFirstId(),
  notVerified: ["id"],
  rows: {
    jettonMaster: (jettonMaster, place) => [
      {
        totalSupply: jettonMaster.totalSupply,
        mintable: jettonMaster.mintable,
        adminAddress: jettonMaster.admin,
        jettonContent: jettonMaster.content,
        jettonWalletCodeHash: jettonMaster.walletCodeHash,
        ...place,
      },
    ],
  },
});
