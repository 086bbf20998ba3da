import type { Cell } from "../../../cell/Cell.ts";
import { address, partyAddress } from "../../kit/addressFields.ts";
import { type Body, type BodyField, bareOpcode } from "../../kit/declare.ts";
import { refusable } from "../../kit/entity.ts";
import { bool, cellRef, maybeRef, payload, uint64, uint256, vcoins } from "../../kit/fields.ts";
import { queryBody } from "../../kit/queryBody.ts";

// transfer#5fcc3d14 query_id:uint64 new_owner:MsgAddress response_destination:MsgAddress custom_payload:(Maybe ^Cell)
//   forward_amount:(VarUInteger 16) forward_payload:(Either Cell ^Cell)
export const nftTransferBody = queryBody("nft_transfer", 0x5fcc3d14, {
  newOwner: partyAddress,
  responseDestination: partyAddress,
  customPayload: maybeRef,
  forwardAmount: vcoins,
  forwardPayload: payload,
});

/** A payload that the body announces but does not carry is none for the service. */
const noticePayload: BodyField<Cell | undefined> = { ...payload, load: (s) => refusable(() => payload.load(s)) };

export const nftOwnershipAssigned = queryBody("nft_ownership_assigned", 0x05138d91, {
  prevOwner: partyAddress,
  forwardPayload: noticePayload,
});

export const getStaticData = queryBody("get_static_data", 0x2fcb26a2);
export const reportStaticData = queryBody("report_static_data", 0x8b771735, {
  index: uint256,
  collection: partyAddress,
});
export const getRoyaltyParams = bareOpcode("get_royalty_params", 0x693d3950);
export const reportRoyaltyParams = bareOpcode("report_royalty_params", 0xa8cb00ad);

/** A request for the owner of an item, answered to another account. */
const ownerRequest = { dest: address, forwardPayload: cellRef, withContent: bool };
export const proveOwnership = queryBody("prove_ownership", 0x04ded148, ownerRequest);
export const ownershipProof = bareOpcode("ownership_proof", 0x0524c7ae);

export const sbtRequestOwner = queryBody("sbt_request_owner", 0xd0c3bfea, ownerRequest);
export const sbtOwnerInfo = queryBody("sbt_owner_info", 0x0dd607e3, {
  itemId: uint256,
  initiator: address,
  owner: address,
  data: cellRef,
  revokedAt: uint64,
  content: maybeRef,
});
export const sbtDestroy = queryBody("sbt_destroy", 0x1f04537a);
export const sbtRevoke = queryBody("sbt_revoke", 0x6f89f5e3);

/** In the order they are tried. */
export const nftBodies: readonly Body<unknown>[] = [
  nftTransferBody,
  nftOwnershipAssigned,
  getStaticData,
  reportStaticData,
  getRoyaltyParams,
  reportRoyaltyParams,
  proveOwnership,
  ownershipProof,
  sbtRequestOwner,
  sbtOwnerInfo,
  sbtDestroy,
  sbtRevoke,
];
