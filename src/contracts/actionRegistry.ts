import type { Block } from "./blocks.ts";
import { cocoonMatchers } from "./cocoon/actions.ts";
import { coffeeSwapMatcher } from "./coffee/actions.ts";
import { coffeeDepositMatcher, coffeeWithdrawMatcher } from "./coffee/liquidity.ts";
import { coffeeFailedSwapMatcher, coffeeHoldFundsMatcher } from "./coffee/mev.ts";
import { coffeePoolCreatorMatcher, coffeePoolMatcher, coffeeVaultMatcher } from "./coffee/pools.ts";
import {
  coffeeStakingClaimMatcher,
  coffeeStakingDepositMatcher,
  coffeeStakingWithdrawMatcher,
} from "./coffee/staking.ts";
import { dedustSwapMatcher } from "./dedust/actions.ts";
import { dedustDepositMatcher, dedustPartialMatcher, dedustWithdrawMatcher } from "./dedust/liquidity.ts";
import { joinDedustDeposits } from "./dedust/regroup.ts";
import { dnsChangeMatcher, dnsPurchaseMatcher, dnsReleaseMatcher } from "./dns/actions.ts";
import { electionDepositMatcher, electionRecoverMatcher } from "./elections/actions.ts";
import { ethenaDepositMatcher, ethenaRequestMatcher } from "./ethena/actions.ts";
import { evaaSupplyMatcher, evaaWithdrawMatcher } from "./evaa/actions.ts";
import { evaaLiquidateMatcher } from "./evaa/liquidate.ts";
import { getgemsListingMatcher, getgemsUpdateMatcher } from "./getgems/actions.ts";
import { auctionBidMatcher, auctionOutbidMatcher } from "./getgems/bids.ts";
import { getgemsCancelAuctionMatcher, getgemsCancelSaleMatcher, getgemsFinishMatcher } from "./getgems/endings.ts";
import { getgemsPurchaseMatcher } from "./getgems/purchase.ts";
import {
  failedTransferMatcher,
  jettonBurnMatcher,
  jettonTransferMatcher,
  ptonTransferMatcher,
} from "./jetton/actions.ts";
import { jettonMintMatcher } from "./jetton/mint.ts";
import {
  jvaultClaimMatcher,
  jvaultRequestMatcher,
  jvaultStakeMatcher,
  jvaultUnstakeMatcher,
} from "./jvault/actions.ts";
import {
  layerzeroCommitMatcher,
  layerzeroReceiveMatcher,
  layerzeroSendMatcher,
  layerzeroSendTokensMatcher,
  layerzeroVerifyMatcher,
} from "./layerzero/actions.ts";
import type { Matcher } from "./matcher.ts";
import { multisigApproveMatcher, multisigCreateMatcher, multisigExecuteMatcher } from "./multisig/actions.ts";
import { nftDiscoveryMatcher, nftMintMatcher } from "./nft/actions.ts";
import { nftTransferMatcher } from "./nft/transfer.ts";
import { nominatorDepositMatcher, nominatorPayoutMatcher, nominatorRequestMatcher } from "./nominators/actions.ts";
import { stonfiSwapMatcher } from "./stonfi/actions.ts";
import { stonfiDepositMatcher, stonfiWithdrawMatcher } from "./stonfi/liquidity.ts";
import { stonfiV2SwapMatcher } from "./stonfi/v2.ts";
import { subscribeMatcher, unsubscribeMatcher } from "./subscriptions/actions.ts";
import { teleitemCancelMatcher, teleitemStartMatcher, teleitemTransferMatcher } from "./teleitem/actions.ts";
import {
  tgbtcBurnLogMatcher,
  tgbtcBurnMatcher,
  tgbtcDkgLogMatcher,
  tgbtcMintLogMatcher,
  tgbtcMintMatcher,
  tgbtcNewKeyLogMatcher,
  tgbtcNewKeyMatcher,
} from "./tgbtc/actions.ts";
import { toncoDeployPoolMatcher, toncoSwapMatcher } from "./tonco/actions.ts";
import { toncoDepositMatcher, toncoWithdrawMatcher } from "./tonco/liquidity.ts";
import { tonstakersDelayedMatcher, tonstakersDepositMatcher, tonstakersWithdrawMatcher } from "./tonstakers/actions.ts";
import { vestingSendMatcher, vestingWhitelistMatcher } from "./vesting/actions.ts";

/** All events that are recognised. The order is meaning: the particular before the general. */
export const matchers: readonly Matcher[] = [
  nftMintMatcher,
  tonstakersDelayedMatcher,
  dedustDepositMatcher,
  dedustPartialMatcher,
  tonstakersDepositMatcher,
  tonstakersWithdrawMatcher,
  multisigCreateMatcher,
  multisigApproveMatcher,
  multisigExecuteMatcher,
  vestingSendMatcher,
  vestingWhitelistMatcher,
  nominatorDepositMatcher,
  nominatorRequestMatcher,
  nominatorPayoutMatcher,
  jettonTransferMatcher,
  ptonTransferMatcher,
  dedustWithdrawMatcher,
  jettonBurnMatcher,
  dedustSwapMatcher,
  stonfiSwapMatcher,
  stonfiV2SwapMatcher,
  toncoSwapMatcher,
  dnsReleaseMatcher,
  dnsPurchaseMatcher,
  getgemsUpdateMatcher,
  nftTransferMatcher,
  teleitemTransferMatcher,
  getgemsPurchaseMatcher,
  getgemsListingMatcher,
  teleitemStartMatcher,
  teleitemCancelMatcher,
  nftDiscoveryMatcher,
  dnsChangeMatcher,
  electionDepositMatcher,
  electionRecoverMatcher,
  subscribeMatcher,
  unsubscribeMatcher,
  auctionBidMatcher,
  auctionOutbidMatcher,
  getgemsCancelSaleMatcher,
  getgemsFinishMatcher,
  getgemsCancelAuctionMatcher,
  ethenaRequestMatcher,
  jettonMintMatcher,
  ethenaDepositMatcher,
  stonfiDepositMatcher,
  stonfiWithdrawMatcher,
  jvaultStakeMatcher,
  jvaultUnstakeMatcher,
  jvaultClaimMatcher,
  jvaultRequestMatcher,
  evaaSupplyMatcher,
  evaaWithdrawMatcher,
  evaaLiquidateMatcher,
  tgbtcMintMatcher,
  tgbtcBurnMatcher,
  tgbtcNewKeyMatcher,
  tgbtcMintLogMatcher,
  tgbtcBurnLogMatcher,
  tgbtcNewKeyLogMatcher,
  tgbtcDkgLogMatcher,
  toncoDepositMatcher,
  toncoDeployPoolMatcher,
  toncoWithdrawMatcher,
  coffeeDepositMatcher,
  coffeeSwapMatcher,
  coffeeWithdrawMatcher,
  coffeeVaultMatcher,
  coffeePoolCreatorMatcher,
  coffeePoolMatcher,
  coffeeHoldFundsMatcher,
  coffeeFailedSwapMatcher,
  coffeeStakingDepositMatcher,
  coffeeStakingWithdrawMatcher,
  coffeeStakingClaimMatcher,
  layerzeroSendMatcher,
  layerzeroSendTokensMatcher,
  layerzeroReceiveMatcher,
  layerzeroCommitMatcher,
  layerzeroVerifyMatcher,
  ...cocoonMatchers,
];

/** Those looked for in what a failed message from outside would have sent. */
export const failedExternalMatchers: readonly Matcher[] = [failedTransferMatcher];

/** What is put together only when the whole trace has been read. */
export function regroup(blocks: readonly Block[]): readonly Block[] {
  return joinDedustDeposits(blocks);
}
