import { contract, contractByCode } from "../../kit/contract.ts";
import { describedMethod, getMethod } from "../../kit/getMethod.ts";
import { addressOrNone, cell, contentCell, flag, single, stack, stackAddress, stackInt } from "../../kit/stack.ts";
import { excesses } from "../jetton/messages.ts";
import * as messages from "./messages.ts";
import * as storage from "./storage.ts";

export const getNftData = getMethod(
  "get_nft_data",
  stack({ isInit: flag, index: stackInt, collection: addressOrNone, owner: addressOrNone, content: cell }),
);

export const getCollectionData = getMethod(
  "get_collection_data",
  stack({ nextItemIndex: stackInt, content: contentCell, owner: addressOrNone }),
);

export const getNftAddressByIndex = getMethod("get_nft_address_by_index", single(stackAddress, "item"), {
  index: stackInt,
});

export const getNftContent = getMethod("get_nft_content", single(contentCell, "content"), {
  index: stackInt,
  individualContent: cell,
});

const royaltyParams = describedMethod("royalty_params", {
  numerator: "int",
  denominator: "int",
  destination: "address?",
});

const getEditor = describedMethod("get_editor", { editor: "address?" });
const getAuthorityAddress = describedMethod("get_authority_address", { authority: "address?" });
const getRevokedTime = describedMethod("get_revoked_time", { revokedAt: "int64" });

export const nftCollectionInterface = contract({
  name: "nft_collection",
  methods: [getNftContent, getCollectionData, getNftAddressByIndex],
  furtherMethods: [royaltyParams],
  receives: messages.royaltyBodies.slice(0, 1),
  sends: messages.royaltyBodies.slice(1),
  storage: [storage.plainCollection],
});

export const nftItemInterface = contract({
  name: "nft_item",
  methods: [getNftData],
  receives: [messages.nftTransferBody, messages.getStaticData],
  sends: [messages.nftOwnershipAssigned, messages.reportStaticData, excesses],
  storage: [storage.simpleItem, storage.editableItem, storage.newItem],
  errors: {
    401: "the sender is not the owner",
    402: "not enough coins for storage and fees",
    405: "the sender is not the collection",
    708: "the forward payload is malformed",
  },
});

export const nftItemSimple = contractByCode("nft_item_simple", storage.nftItemSimpleCode, nftItemInterface);

export const editable = contract({
  name: "editable",
  methods: [getEditor],
});

export const sbt = contract({
  name: "sbt",
  methods: [getAuthorityAddress],
  furtherMethods: [getRevokedTime],
  receives: messages.sbtBodies,
  sends: [messages.sbtOwnerInfo],
});
