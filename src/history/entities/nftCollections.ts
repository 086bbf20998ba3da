import type { JsonObject } from "../../lib/json.ts";
import { address, amount, json, nullable } from "../store/schema/columns.ts";
import { keepNewestAndFirstId } from "../store/schema/conflictRule.ts";
import { table } from "../store/schema/Table.ts";
import { indexedEntity } from "./indexedEntity.ts";
import { listedColumns, stateColumns } from "./sharedColumns.ts";

export const nftCollections = table("nft_collections", {
  ...listedColumns,
  nextItemIndex: amount,
  ownerAddress: nullable(address),
  collectionContent: nullable(json<JsonObject>()),
  ...stateColumns,
});

export const nftCollectionEntity = indexedEntity({
  table: nftCollections,
  account: "address",
  key: ["address"],
  conflict: keepNewestAndFirstId(),
  notVerified: ["id"],
  rows: {
    nftCollection: (nftCollection, place) => [
      {
        nextItemIndex: nftCollection.nextItemIndex,
        ownerAddress: nftCollection.owner,
        collectionContent: nftCollection.content,
        ...place,
      },
    ],
  },
});
