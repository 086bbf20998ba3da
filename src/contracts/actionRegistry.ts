import type { Matcher } from "./engine/matcher.ts";
import type { TraceNode } from "./engine/TraceNode.ts";
import { cocoonMatchers } from "./families/cocoon/actions.ts";
import { coffeeSwapMatcher } from "./families/coffee/actions.ts";
import { coffeeDepositMatcher, coffeeWithdrawMatcher } from "./families/coffee/liquidity.ts";
import { coffeeFailedSwapMatcher, coffeeHoldFundsMatcher } from "./families/coffee/mev.ts";
import { coffeePoolCreatorMatcher, coffeePoolMatcher, coffeeVaultMatcher } from "./families/coffee/pools.ts";
import {
  coffeeStakingClaimMatcher,
  coffeeStakingDepositMatcher,
  coffeeStakingWithdrawMatcher,
} from "./families/coffee/staking.ts";
import { dedustSwapMatcher } from "./families/dedust/actions.ts";
import { dedustDepositMatcher, dedustPartialMatcher, dedustWithdrawMatcher } from "./families/dedust/liquidity.ts";
import { joinDedustDeposits } from "./families/dedust/regroup.ts";
import { dnsChangeMatcher, dnsPurchaseMatcher, dnsReleaseMatcher } from "./families/dns/actions.ts";
import { electionDepositMatcher, electionRecoverMatcher } from "./families/elections/actions.ts";
import { ethenaDepositMatcher, ethenaRequestMatcher } from "./families/ethena/actions.ts";
import { evaaSupplyMatcher, evaaWithdrawMatcher } from "./families/evaa/actions.ts";
import { evaaLiquidateMatcher } from "./families/evaa/liquidate.ts";
import { getgemsListingMatcher, getgemsUpdateMatcher } from "./families/getgems/actions.ts";
import { auctionBidMatcher, auctionOutbidMatcher } from "./families/getgems/bids.ts";
import {
  getgemsCancelAuctionMatcher,
  getgemsCancelSaleMatcher,
  getgemsFinishMatcher,
} from "./families/getgems/endings.ts";
import { getgemsPurchaseMatcher } from "./families/getgems/purchase.ts";
import {
  failedTransferMatcher,
  jettonBurnMatcher,
  jettonTransferMatcher,
  ptonTransferMatcher,
} from "./families/jetton/actions.ts";
import { jettonMintMatcher } from "./families/jetton/mint.ts";
import {
  jvaultClaimMatcher,
  jvaultRequestMatcher,
  jvaultStakeMatcher,
  jvaultUnstakeMatcher,
} from "./families/jvault/actions.ts";
import {
  layerzeroCommitMatcher,
  layerzeroReceiveMatcher,
  layerzeroSendMatcher,
  layerzeroSendTokensMatcher,
  layerzeroVerifyMatcher,
} from "./families/layerzero/actions.ts";
import { multisigApproveMatcher, multisigCreateMatcher, multisigExecuteMatcher } from "./families/multisig/actions.ts";
import { nftDiscoveryMatcher, nftMintMatcher } from "./families/nft/actions.ts";
import { nftTransferMatcher } from "./families/nft/transfer.ts";
import {
  nominatorDepositMatcher,
  nominatorPayoutMatcher,
  nominatorRequestMatcher,
} from "./families/nominators/actions.ts";
import { stonfiSwapMatcher } from "./families/stonfi/actions.ts";
import { stonfiDepositMatcher, stonfiWithdrawMatcher } from "./families/stonfi/liquidity.ts";
import { stonfiV2SwapMatcher } from "./families/stonfi/v2.ts";
import { subscribeMatcher, unsubscribeMatcher } from "./families/subscriptions/actions.ts";
import { teleitemCancelMatcher, teleitemStartMatcher, teleitemTransferMatcher } from "./families/teleitem/actions.ts";
import {
  tgbtcBurnLogMatcher,
  tgbtcBurnMatcher,
  tgbtcDkgLogMatcher,
  tgbtcMintLogMatcher,
  tgbtcMintMatcher,
  tgbtcNewKeyLogMatcher,
  tgbtcNewKeyMatcher,
} from "./families/tgbtc/actions.ts";
import { toncoDeployPoolMatcher, toncoSwapMatcher } from "./families/tonco/actions.ts";
import { toncoDepositMatcher, toncoWithdrawMatcher } from "./families/tonco/liquidity.ts";
import {
  tonstakersDelayedMatcher,
  tonstakersDepositMatcher,
  tonstakersWithdrawMatcher,
} from "./families/tonstakers/actions.ts";
import { vestingSendMatcher, vestingWhitelistMatcher } from "./families/vesting/actions.ts";

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
export function regroup(blocks: readonly TraceNode[]): readonly TraceNode[] {
  return joinDedustDeposits(blocks);
}
