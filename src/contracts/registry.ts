import type { Family } from "./engine/declareFamily.ts";
import type { Matcher } from "./engine/matcher.ts";
import { family as bidask } from "./families/bidask/family.ts";
import { family as cocoon } from "./families/cocoon/family.ts";
import { family as coffee } from "./families/coffee/family.ts";
import { family as dedust } from "./families/dedust/family.ts";
import { family as dedustV2 } from "./families/dedustv2/family.ts";
import { demoSet } from "./families/demoSet.ts";
import { family as dns } from "./families/dns/family.ts";
import { family as elections } from "./families/elections/family.ts";
import { family as ethena } from "./families/ethena/family.ts";
import { family as evaa } from "./families/evaa/family.ts";
import { family as getgems } from "./families/getgems/family.ts";
import { family as jetton } from "./families/jetton/family.ts";
import { family as jvault } from "./families/jvault/family.ts";
import { family as layerzero } from "./families/layerzero/family.ts";
import { family as moon } from "./families/moon/family.ts";
import { family as multisig } from "./families/multisig/family.ts";
import { family as nft } from "./families/nft/family.ts";
import { family as nominators } from "./families/nominators/family.ts";
import { family as pyth } from "./families/pyth/family.ts";
import {
  airdrop,
  bemo,
  blum,
  channels,
  cron,
  daolama,
  gaspump,
  hipo,
  invoices,
  locker,
  lockup,
  lone,
  megaton,
  miner,
  tegro,
  tonkeeper,
} from "./families/recognized.ts";
import { family as stonfi } from "./families/stonfi/family.ts";
import { family as storage } from "./families/storage/family.ts";
import { family as storm } from "./families/storm/family.ts";
import { family as subscriptions } from "./families/subscriptions/family.ts";
import { family as teleitem } from "./families/teleitem/family.ts";
import { family as tgbtc } from "./families/tgbtc/family.ts";
import { family as tonco } from "./families/tonco/family.ts";
import { family as tonstakers } from "./families/tonstakers/family.ts";
import { family as transfer } from "./families/transfer/family.ts";
import { family as vesting } from "./families/vesting/family.ts";
import { family as wallet } from "./families/wallet/family.ts";

/** All families. If several know an opcode or a code, the first one names it, and layouts are tried in this order. */
export const families = [
  transfer,
  wallet,
  jetton,
  nft,
  getgems,
  teleitem,
  dns,
  elections,
  subscriptions,
  multisig,
  vesting,
  nominators,
  tonstakers,
  stonfi,
  dedust,
  dedustV2,
  tonco,
  pyth,
  evaa,
  jvault,
  coffee,
  tgbtc,
  cocoon,
  bidask,
  bemo,
  blum,
  channels,
  cron,
  gaspump,
  hipo,
  invoices,
  megaton,
  moon,
  storage,
  storm,
  tegro,
  tonkeeper,
  lone,
  ethena,
  layerzero,
  airdrop,
  daolama,
  locker,
  lockup,
  miner,
  demoSet,
] satisfies readonly Family[];

/** All matchers. The order matters: the particular before the general. */
export const matchers: readonly Matcher[] = [
  nft.matchers.mint,
  tonstakers.matchers.delayed,
  dedust.matchers.deposit,
  dedust.matchers.partialDeposit,
  tonstakers.matchers.deposit,
  tonstakers.matchers.withdraw,
  multisig.matchers.create,
  multisig.matchers.approve,
  multisig.matchers.execute,
  vesting.matchers.send,
  vesting.matchers.whitelist,
  nominators.matchers.deposit,
  nominators.matchers.request,
  nominators.matchers.payout,
  wallet.matchers.changeKey,
  jetton.matchers.transfer,
  jetton.matchers.ptonTransfer,
  dedust.matchers.withdraw,
  jetton.matchers.burn,
  dedust.matchers.swap,
  dedustV2.matchers.swap,
  dedustV2.matchers.failedSwap,
  dedustV2.matchers.withdraw,
  dedustV2.matchers.deposit,
  dedustV2.matchers.rejectedDeposit,
  dedustV2.matchers.partialDeposit,
  dedustV2.matchers.claimFees,
  dedustV2.matchers.claimReward,
  stonfi.matchers.swap,
  stonfi.matchers.swapV2,
  tonco.matchers.swap,
  dns.matchers.release,
  dns.matchers.purchase,
  getgems.matchers.updateSale,
  nft.matchers.transfer,
  teleitem.matchers.transfer,
  getgems.matchers.purchase,
  getgems.matchers.listing,
  teleitem.matchers.start,
  teleitem.matchers.cancel,
  nft.matchers.discovery,
  dns.matchers.change,
  elections.matchers.deposit,
  elections.matchers.recover,
  subscriptions.matchers.subscribe,
  subscriptions.matchers.unsubscribe,
  getgems.matchers.bid,
  getgems.matchers.outbid,
  getgems.matchers.cancelSale,
  getgems.matchers.finishAuction,
  getgems.matchers.cancelAuction,
  ethena.matchers.request,
  jetton.matchers.mint,
  ethena.matchers.deposit,
  stonfi.matchers.deposit,
  stonfi.matchers.withdraw,
  jvault.matchers.stake,
  jvault.matchers.unstake,
  jvault.matchers.claim,
  jvault.matchers.request,
  evaa.matchers.supply,
  evaa.matchers.withdraw,
  evaa.matchers.liquidate,
  tgbtc.matchers.mint,
  tgbtc.matchers.burn,
  tgbtc.matchers.newKey,
  tgbtc.matchers.mintLog,
  tgbtc.matchers.burnLog,
  tgbtc.matchers.newKeyLog,
  tgbtc.matchers.dkgLog,
  tonco.matchers.deposit,
  tonco.matchers.deployPool,
  tonco.matchers.withdraw,
  coffee.matchers.deposit,
  coffee.matchers.swap,
  coffee.matchers.withdraw,
  coffee.matchers.createVault,
  coffee.matchers.createPoolCreator,
  coffee.matchers.createPool,
  coffee.matchers.holdFunds,
  coffee.matchers.failedSwap,
  coffee.matchers.stakingDeposit,
  coffee.matchers.stakingWithdraw,
  coffee.matchers.stakingClaim,
  layerzero.matchers.send,
  layerzero.matchers.sendTokens,
  layerzero.matchers.receive,
  layerzero.matchers.commit,
  layerzero.matchers.verify,
  cocoon.matchers.workerPayout,
  cocoon.matchers.proxyPayout,
  cocoon.matchers.proxyCharge,
  cocoon.matchers.topUp,
  cocoon.matchers.registerProxy,
  cocoon.matchers.unregisterProxy,
  cocoon.matchers.register,
  cocoon.matchers.changeSecretHash,
  cocoon.matchers.requestRefund,
  cocoon.matchers.grantRefund,
  cocoon.matchers.increaseStake,
  cocoon.matchers.withdraw,
];

/** Matchers for the messages that a failed external message would have sent. */
export const failedExternalMatchers: readonly Matcher[] = [jetton.matchers.failedTransfer];
