import { address, bool, nullable, texts } from "../store/schema/columns.ts";
import { keepExisting } from "../store/schema/conflictRule.ts";
import { table } from "../store/schema/Table.ts";
import { indexedEntity } from "./indexedEntity.ts";

export const mintlessJettonMasters = table("mintless_jetton_masters", {
  address: address,
  isIndexed: bool,
  customPayloadApiUri: nullable(texts),
});

export const mintlessJettonMasterEntity = indexedEntity({
  table: mintlessJettonMasters,
  account: "address",
  key: ["address"],
  conflict: keepExisting,
  // The list of claims, which is not part of the chain, gives these.
  notVerified: ["isIndexed", "customPayloadApiUri"],
  rows: {
    jettonWallet: (jettonWallet) =>
      jettonWallet.isClaimed === undefined
        ? []
        : [{ address: jettonWallet.jetton, isIndexed: false, customPayloadApiUri: undefined }],
  },
});
