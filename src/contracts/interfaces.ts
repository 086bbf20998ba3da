import type { Hash } from "../model/Hash.ts";
import { airdropInterlockerV1, airdropInterlockerV2 } from "./families/airdrop/interfaces.ts";
import {
  bidaskInternalLiquidityVault,
  bidaskLpMultitoken,
  bidaskPool,
  bidaskRange,
} from "./families/bidask/interfaces.ts";
import { paymentChannel } from "./families/channels/interfaces.ts";
import {
  coffeeCrossDex,
  coffeeFactory,
  coffeeMevProtector,
  coffeePool,
  coffeeStakingItem,
  coffeeStakingMaster,
  coffeeStakingVault,
  coffeeVault,
  coffeeVaultExtra,
  coffeeVaultJetton,
  coffeeVaultNative,
  jettonWalletCoffeeLp,
} from "./families/coffee/interfaces.ts";
import { cron } from "./families/cron/interfaces.ts";
import { daolamaVault } from "./families/daolama/interfaces.ts";
import {
  dedustFactory,
  dedustLiquidityDeposit,
  dedustPool,
  dedustVault,
  x1000AffiliateAccount,
  x1000AffiliateProgram,
  x1000WalletV1,
} from "./families/dedust/interfaces.ts";
import { dns } from "./families/dns/interfaces.ts";
import {
  nftAuctionGetgemsV3,
  nftAuctionGetgemsV4,
  nftOfferGetgemsV1,
  nftSaleGetgemsV2,
  nftSaleGetgemsV3,
  nftSaleGetgemsV4,
} from "./families/getgems/interfaces.ts";
import {
  jettonMaster,
  jettonWallet,
  jettonWalletGoverned,
  jettonWalletV1,
  jettonWalletV2,
} from "./families/jetton/interfaces.ts";
import { locker, lockerBill } from "./families/locker/interfaces.ts";
import { lockupUniversal, lockupVesting } from "./families/lockup/interfaces.ts";
import { megatonfiExchange, megatonfiRouter } from "./families/megaton/interfaces.ts";
import { gramMiner } from "./families/miner/interfaces.ts";
import { moonBooster, moonOrder, moonOrderFactory, moonPool } from "./families/moon/interfaces.ts";
import { multisigOrderV2, multisigV2 } from "./families/multisig/interfaces.ts";
import {
  editable,
  nftAuctionV1,
  nftCollection,
  nftItem,
  nftItemSimple,
  nftSale,
  sbt,
} from "./families/nft/interfaces.ts";
import { tvPool, whalesPool } from "./families/nominators/interfaces.ts";
import { pythPriceOracle } from "./families/pyth/interfaces.ts";
import {
  omnistonReferral,
  stonfiLpAccountV2,
  stonfiPool,
  stonfiPoolV2,
  stonfiRouter,
  stonfiRouterV2,
  stonfiVaultV2,
} from "./families/stonfi/interfaces.ts";
import { storageContract, storageProvider } from "./families/storage/interfaces.ts";
import {
  stormExecutor,
  stormExecutorCollection,
  stormPositionManager,
  stormReferral,
  stormReferralCollection,
  stormVamm,
  stormVault,
} from "./families/storm/interfaces.ts";
import { subscriptionV1, subscriptionV2 } from "./families/subscriptions/interfaces.ts";
import { teleitem } from "./families/teleitem/interfaces.ts";
import { toncoPool, toncoRouter } from "./families/tonco/interfaces.ts";
import { tonkeeper2fa } from "./families/tonkeeper/interfaces.ts";
import { tonstakePool, validatorController } from "./families/tonstakers/interfaces.ts";
import {
  walletHighloadV1r1,
  walletHighloadV1r2,
  walletHighloadV2,
  walletHighloadV2r1,
  walletHighloadV2r2,
  walletHighloadV3r1,
  walletPreprocessedV2,
  walletV1r1,
  walletV1r2,
  walletV1r3,
  walletV2r1,
  walletV2r2,
  walletV3r1,
  walletV3r2,
  walletV4r1,
  walletV4r2,
  walletV5Beta,
  walletV5r1,
  walletVesting,
} from "./families/wallet/interfaces.ts";
import type { Contract } from "./kit/contract.ts";

/** All interfaces in the order of the public table, which decides between those that list the same code. */
export const interfaces: readonly Contract[] = [
  airdropInterlockerV1,
  airdropInterlockerV2,
  bidaskPool,
  bidaskRange,
  bidaskLpMultitoken,
  bidaskInternalLiquidityVault,
  cron,
  daolamaVault,
  dedustFactory,
  dedustLiquidityDeposit,
  dedustPool,
  dedustVault,
  dns,
  gramMiner,
  jettonMaster,
  jettonWallet,
  jettonWalletV1,
  jettonWalletV2,
  jettonWalletGoverned,
  tonstakePool,
  validatorController,
  locker,
  lockerBill,
  lockupVesting,
  lockupUniversal,
  megatonfiRouter,
  megatonfiExchange,
  moonPool,
  moonBooster,
  moonOrderFactory,
  moonOrder,
  multisigV2,
  multisigOrderV2,
  nftSale,
  nftAuctionV1,
  nftOfferGetgemsV1,
  nftSaleGetgemsV4,
  nftSaleGetgemsV3,
  nftSaleGetgemsV2,
  nftAuctionGetgemsV3,
  nftAuctionGetgemsV4,
  nftCollection,
  nftItem,
  nftItemSimple,
  editable,
  sbt,
  paymentChannel,
  pythPriceOracle,
  stonfiPool,
  stonfiPoolV2,
  stonfiRouterV2,
  stonfiRouter,
  stonfiLpAccountV2,
  stonfiVaultV2,
  omnistonReferral,
  storageProvider,
  storageContract,
  stormVamm,
  stormReferral,
  stormReferralCollection,
  stormExecutor,
  stormExecutorCollection,
  stormVault,
  stormPositionManager,
  subscriptionV1,
  subscriptionV2,
  coffeeMevProtector,
  coffeeCrossDex,
  coffeeStakingMaster,
  coffeeStakingVault,
  coffeeStakingItem,
  coffeeFactory,
  coffeeVault,
  coffeeVaultNative,
  coffeeVaultJetton,
  coffeeVaultExtra,
  coffeePool,
  jettonWalletCoffeeLp,
  teleitem,
  toncoPool,
  toncoRouter,
  tonkeeper2fa,
  tvPool,
  walletV1r1,
  walletV1r2,
  walletV1r3,
  walletV2r1,
  walletV2r2,
  walletV3r1,
  walletV3r2,
  walletV4r1,
  walletV4r2,
  walletV5Beta,
  walletV5r1,
  walletHighloadV1r1,
  walletHighloadV1r2,
  walletHighloadV2,
  walletHighloadV2r1,
  walletHighloadV2r2,
  walletHighloadV3r1,
  walletPreprocessedV2,
  walletVesting,
  whalesPool,
  x1000WalletV1,
  x1000AffiliateAccount,
  x1000AffiliateProgram,
];

/** What of an account's code tells its interfaces. */
export interface KnownCode {
  readonly codeHash: Hash | undefined;
  /** Ids of its methods, each once; `undefined` when not known. */
  readonly methods: readonly number[] | undefined;
}

/** Names an interface by each code that is this alone. */
const byCode: ReadonlyMap<Hash, readonly string[]> = new Map(
  interfaces.toReversed().flatMap(({ name, codes }) => codes.map((code) => [code, [name]] as const)),
);

/** Interfaces that ask for a method, by its id. */
const byMethod: ReadonlyMap<number, readonly Contract[]> = groupByMethod();

function groupByMethod(): ReadonlyMap<number, readonly Contract[]> {
  const groups = new Map<number, Contract[]>();
  for (const each of interfaces) {
    for (const id of each.methodIds) {
      const group = groups.get(id);
      if (group === undefined) groups.set(id, [each]);
      else group.push(each);
    }
  }
  return groups;
}

/**
 * Names of the interfaces of a code: the one that lists it, or else all whose methods it has, in alphabetical order
 * (v3-indexing §6).
 */
export function interfacesOf({ codeHash, methods }: KnownCode): readonly string[] {
  const listed = codeHash === undefined ? undefined : byCode.get(codeHash);
  if (listed !== undefined) return listed;
  const present = new Map<Contract, number>();
  for (const id of methods ?? [])
    for (const each of byMethod.get(id) ?? []) present.set(each, (present.get(each) ?? 0) + 1);
  const names: string[] = [];
  for (const [each, count] of present) if (count === each.methodIds.length) names.push(each.name);
  return names.sort();
}
