import { crcForm, writeBoc } from "../../cell/boc.ts";
import type { DetectedEntity } from "../../contracts/detect.ts";
import type { NftAuction } from "../../contracts/families/getgems/auction.ts";
import type { NftSale } from "../../contracts/families/getgems/sale.ts";
import type { Teleitem } from "../../contracts/families/teleitem/item.ts";
import type { JsonValue } from "../../lib/json.ts";
import { type Address, formatRawAddress } from "../../model/Address.ts";
import type { Hash } from "../../model/Hash.ts";
import type { EntityRows } from "../store/BatchRows.ts";
import type { SaleKind } from "../store/tables.ts";

/** An account that was looked at, and what it was found to be. */
export interface Detected {
  readonly address: Address;
  readonly codeHash: Hash;
  readonly dataHash: Hash;
  readonly lastTransLt: bigint;
  readonly entities: readonly DetectedEntity[];
}

type Writable = { -readonly [K in keyof EntityRows]: EntityRows[K][number][] };

/** Rows of one masterchain block begin here, with the order in which entities are first seen. */
const placesPerBlock = 1 << 20;

export function noEntities(): Writable {
  return {
    jettonMasters: [],
    mintlessJettonMasters: [],
    jettonWallets: [],
    nftCollections: [],
    nftItems: [],
    nftSales: [],
    multisigs: [],
    multisigOrders: [],
    vestingContracts: [],
    vestingWhitelist: [],
    dnsEntries: [],
    dexPools: [],
  };
}

/** The rows of what was found in one masterchain block. */
export function makeEntityRows(mcSeqno: number, found: readonly Detected[]): EntityRows {
  const rows = noEntities();
  let place = 0;
  for (const account of found) {
    for (const entity of account.entities) {
      const id = BigInt(mcSeqno) * BigInt(placesPerBlock) + BigInt(Math.min(place++, placesPerBlock - 1));
      addRow(rows, account, entity, id);
    }
  }
  return rows;
}

interface Common {
  readonly address: Address;
  readonly id: bigint;
  readonly codeHash: Hash;
  readonly dataHash: Hash;
  readonly lastTransactionLt: bigint;
}

function addRow(
  rows: Writable,
  { address, codeHash, dataHash, lastTransLt }: Detected,
  entity: DetectedEntity,
  id: bigint,
) {
  const common: Common = { address, id, codeHash, dataHash, lastTransactionLt: lastTransLt };
  switch (entity.kind) {
    case "jettonMaster":
      return rows.jettonMasters.push({
        totalSupply: entity.totalSupply,
        mintable: entity.mintable,
        adminAddress: entity.admin,
        jettonContent: entity.content,
        jettonWalletCodeHash: entity.walletCodeHash,
        ...common,
      });
    case "nftCollection":
      return rows.nftCollections.push({
        nextItemIndex: entity.nextItemIndex,
        ownerAddress: entity.owner,
        collectionContent: entity.content,
        ...common,
      });
    case "nftItem":
      return rows.nftItems.push({
        init: entity.isInit,
        index: entity.index,
        collectionAddress: entity.collection,
        ownerAddress: entity.owner,
        realOwner: entity.owner,
        content: entity.content,
        ...common,
      });
    case "nftSale":
      return rows.nftSales.push({ ...saleColumns(entity), ...common });
    case "nftAuction":
      return rows.nftSales.push({ ...auctionColumns(entity), ...common });
    case "teleitem":
      return rows.nftSales.push({ ...teleitemColumns(address, entity), ...common });
    case "dnsEntry":
      return rows.dnsEntries.push({
        nftItemAddress: address,
        nftItemOwner: entity.owner,
        domain: entity.domain,
        dnsNextResolver: entity.nextResolver,
        dnsWallet: entity.wallet,
        dnsSiteAdnl: entity.siteAdnl,
        dnsStorageBagId: entity.storageBagId,
        lastTransactionLt: lastTransLt,
      });
    default:
      return addOther(rows, common, entity);
  }
}

type Other = Extract<
  DetectedEntity,
  { kind: "jettonWallet" | "multisig" | "multisigOrder" | "vesting" | "dedustPool" }
>;

function addOther(rows: Writable, common: Common, entity: Other): void {
  switch (entity.kind) {
    case "jettonWallet":
      rows.jettonWallets.push({
        balance: entity.balance,
        owner: entity.owner,
        jetton: entity.jetton,
        mintlessIsClaimed: entity.isClaimed,
        mintlessAmount: undefined,
        mintlessStartFrom: undefined,
        mintlessExpireAt: undefined,
        ...common,
      });
      if (entity.isClaimed !== undefined)
        rows.mintlessJettonMasters.push({ address: entity.jetton, isIndexed: false, customPayloadApiUri: undefined });
      return;
    case "multisig": {
      const { nextOrderSeqno, threshold, signers, proposers } = entity;
      rows.multisigs.push({ nextOrderSeqno, threshold, signers, proposers, ...common });
      return;
    }
    case "multisigOrder":
      rows.multisigOrders.push({
        multisigAddress: entity.multisig,
        orderSeqno: entity.orderSeqno,
        threshold: entity.threshold,
        sentForExecution: entity.isSentForExecution,
        approvalsMask: entity.approvalsMask,
        approvalsNum: entity.approvalsNum,
        expirationDate: entity.expirationAt,
        orderBoc: writeBoc(entity.order, crcForm),
        signers: entity.signers,
        ...common,
      });
      return;
    case "vesting":
      rows.vestingContracts.push({
        startTime: entity.startAt,
        totalDuration: entity.totalDuration,
        unlockPeriod: entity.unlockPeriod,
        cliffDuration: entity.cliffDuration,
        totalAmount: entity.totalAmount,
        senderAddress: entity.sender,
        ownerAddress: entity.owner,
        ...common,
      });
      for (const walletAddress of entity.whitelist)
        rows.vestingWhitelist.push({ vestingAddress: common.address, walletAddress });
      return;
    case "dedustPool": {
      const { address, codeHash, dataHash, lastTransactionLt } = common;
      rows.dexPools.push({
        address,
        dex: "dedust",
        asset0: entity.assets[0],
        asset1: entity.assets[1],
        reserve0: entity.reserves[0],
        reserve1: entity.reserves[1],
        poolType: entity.type,
        fee: Number(entity.feeNumerator) / Number(entity.feeDenominator),
        codeHash,
        dataHash,
        lastTransactionLt,
      });
    }
  }
}

interface SaleColumns {
  readonly kind: SaleKind;
  readonly nftAddress: Address | undefined;
  readonly nftOwnerAddress: Address | undefined;
  readonly marketplaceAddress: Address | undefined;
  readonly createdAt: number | undefined;
  readonly price: bigint | undefined;
  readonly details: { readonly [key: string]: JsonValue };
}

function saleColumns(sale: NftSale): SaleColumns {
  return {
    kind: "getgems_sale",
    nftAddress: sale.nft,
    nftOwnerAddress: sale.nftOwner,
    marketplaceAddress: sale.marketplace,
    createdAt: sale.createdAt,
    price: sale.fullPrice,
    details: {
      is_complete: sale.isComplete,
      full_price: decimal(sale.fullPrice),
      marketplace_fee_address: raw(sale.marketplaceFeeAddress),
      marketplace_fee: decimal(sale.marketplaceFee),
      royalty_address: raw(sale.royaltyAddress),
      royalty_amount: decimal(sale.royaltyAmount),
    },
  };
}

function auctionColumns(auction: NftAuction): SaleColumns {
  return {
    kind: "getgems_auction",
    nftAddress: auction.nft,
    nftOwnerAddress: auction.nftOwner,
    marketplaceAddress: auction.marketplace,
    createdAt: auction.createdAt,
    price: auction.lastBid,
    details: {
      end_flag: auction.isEnded,
      end_time: auction.endAt,
      last_bid: decimal(auction.lastBid),
      last_member: raw(auction.lastMember),
      min_step: auction.minStep,
      mp_fee_address: raw(auction.marketplaceFeeAddress),
      mp_fee_factor: auction.marketplaceFeeFactor,
      mp_fee_base: auction.marketplaceFeeBase,
      royalty_fee_address: raw(auction.royaltyFeeAddress),
      royalty_fee_factor: auction.royaltyFeeFactor,
      royalty_fee_base: auction.royaltyFeeBase,
      max_bid: decimal(auction.maxBid),
      min_bid: decimal(auction.minBid),
      last_bid_at: auction.lastBidAt,
      is_canceled: auction.isCanceled,
    },
  };
}

function teleitemColumns(address: Address, item: Teleitem): SaleColumns {
  return {
    kind: "telemint",
    nftAddress: address,
    nftOwnerAddress: undefined,
    marketplaceAddress: undefined,
    createdAt: undefined,
    price: item.bid,
    details: {
      token_name: item.tokenName,
      bidder_address: raw(item.bidder),
      bid: decimal(item.bid),
      bid_ts: String(item.bidAt),
      min_bid: decimal(item.minBid),
      end_time: item.endAt,
      beneficiary_address: raw(item.beneficiary),
      initial_min_bid: decimal(item.initialMinBid),
      max_bid: decimal(item.maxBid),
      min_bid_step: decimal(item.minBidStep),
      min_extend_time: String(item.minExtendTime),
      duration: String(item.duration),
      royalty_numerator: item.royaltyNumerator,
      royalty_denominator: item.royaltyDenominator,
      royalty_destination: raw(item.royaltyDestination),
    },
  };
}

function raw(address: Address | undefined): string | null {
  return address === undefined ? null : formatRawAddress(address);
}

function decimal(value: bigint): string {
  return value.toString();
}
