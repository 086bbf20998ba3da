import type { JsonObject } from "../../lib/json.ts";
import { address, amount, bool, json, nullable } from "../store/schema/columns.ts";
import { keepNewestAndFirstId } from "../store/schema/conflictRule.ts";
import { distributedBy } from "../store/schema/placement.ts";
import { table } from "../store/schema/Table.ts";
import { indexedEntity } from "./indexedEntity.ts";
import { listedColumns, stateColumns } from "./sharedColumns.ts";

export const nftItems = table("nft_items", {
  ...listedColumns,
  init: bool,
  index: amount,
  collectionAddress: nullable(address),
  ownerAddress: nullable(address),
  realOwner: nullable(address),
  content: nullable(json<JsonObject>()),
  ...stateColumns,
});

export const nftItemEntity = indexedEntity({
  table: nftItems,
  account: "address",
  key: ["address"],
  conflict: keepNewestAndFirstId(),
  placement: distributedBy("address"),
  notVerified: ["id"],
  rows: {
    nftItem: (nftItem, place) => [
      {
        init: nftItem.isInit,
        index: nftItem.index,
        collectionAddress: nftItem.collection,
        ownerAddress: nftItem.owner,
        // The commit replaces it by the seller when a sale holds the item.
        realOwner: nftItem.owner,
        content: nftItem.content,
        ...place,
      },
    ],
  },
  facts: {
    findNftItem: (row) => {
      const uri = row.content?.uri;
      return {
        index: row.index,
        collection: row.collectionAddress,
        owner: row.ownerAddress,
        contentUri: typeof uri === "string" ? uri : undefined,
      };
    },
  },
});
