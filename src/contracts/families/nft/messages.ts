import type { Cell } from "../../../cell/Cell.ts";
import { address, partyAddress } from "../../kit/addressFields.ts";
import { type Body, type BodyField, bareOpcodes } from "../../kit/declare.ts";
import { refusable } from "../../kit/entity.ts";
import { bool, cellRef, maybeRef, payload, uint64, uint256, vcoins } from "../../kit/fields.ts";
import { queryBodies, queryBody } from "../../kit/queryBody.ts";

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

/** A request for the owner of an item, answered to another account. */
const ownerRequest = { dest: address, forwardPayload: cellRef, withContent: bool };

const queries = queryBodies({
  nftOwnershipAssigned: [0x05138d91, { prevOwner: partyAddress, forwardPayload: noticePayload }],

  getStaticData: [0x2fcb26a2],
  reportStaticData: [0x8b771735, { index: uint256, collection: partyAddress }],
  proveOwnership: [0x04ded148, ownerRequest],

  sbtRequestOwner: [0xd0c3bfea, ownerRequest],
  sbtOwnerInfo: [
    0x0dd607e3,
    { itemId: uint256, initiator: address, owner: address, data: cellRef, revokedAt: uint64, content: maybeRef },
  ],
  sbtDestroy: [0x1f04537a],
  sbtRevoke: [0x6f89f5e3],
});
export const { nftOwnershipAssigned, getStaticData, reportStaticData, sbtOwnerInfo } = queries;
/** What items that are bound to their owner accept. */
export const sbtBodies = [queries.proveOwnership, queries.sbtRequestOwner, queries.sbtDestroy, queries.sbtRevoke];

/** A request and its answer, known by name only. */
export const royaltyBodies = bareOpcodes({ get_royalty_params: 0x693d3950, report_royalty_params: 0xa8cb00ad });
const bare = [...royaltyBodies, ...bareOpcodes({ ownership_proof: 0x0524c7ae })];

/** In the order they are tried. */
export const nftBodies: readonly Body<unknown>[] = [nftTransferBody, ...Object.values(queries), ...bare];
