import { bemoBodies } from "./bemo/messages.ts";
import { bidaskBodies } from "./bidask/messages.ts";
import { blumBodies } from "./blum/messages.ts";
import { channelsBodies } from "./channels/messages.ts";
import { cocoonBodies } from "./cocoon/messages.ts";
import { coffeeBodies } from "./coffee/messages.ts";
import { cronBodies } from "./cron/messages.ts";
import type { Body, OpenBody } from "./declare.ts";
import { dedustBodies } from "./dedust/messages.ts";
import { dnsBodies } from "./dns/messages.ts";
import { electionsBodies } from "./elections/messages.ts";
import { evaaBodies, sharedOpcode1 } from "./evaa/messages.ts";
import { gaspumpBodies } from "./gaspump/messages.ts";
import { getgemsBodies } from "./getgems/messages.ts";
import { hipoBodies } from "./hipo/messages.ts";
import { invoicesBodies } from "./invoices/messages.ts";
import { jettonBodies } from "./jetton/messages.ts";
import { jvaultBodies } from "./jvault/messages.ts";
import { loneBodies } from "./lone/messages.ts";
import { megatonBodies } from "./megaton/messages.ts";
import { moonBodies } from "./moon/messages.ts";
import { multisigBodies } from "./multisig/messages.ts";
import { nftBodies } from "./nft/messages.ts";
import { nominatorsBodies } from "./nominators/messages.ts";
import { pythBodies } from "./pyth/messages.ts";
import { stonfiBodies } from "./stonfi/messages.ts";
import { storageBodies } from "./storage/messages.ts";
import { stormBodies } from "./storm/messages.ts";
import { subscriptionsBodies } from "./subscriptions/messages.ts";
import { tegroBodies } from "./tegro/messages.ts";
import { teleitemBodies } from "./teleitem/messages.ts";
import { tgbtcBodies } from "./tgbtc/messages.ts";
import { toncoBodies } from "./tonco/messages.ts";
import { tonkeeperBodies } from "./tonkeeper/messages.ts";
import { tonstakersBodies } from "./tonstakers/messages.ts";
import { transferBodies } from "./transfer/messages.ts";
import { vestingBodies } from "./vesting/messages.ts";
import {
  highloadWalletSignedV1,
  highloadWalletSignedV2,
  highloadWalletSignedV3,
  preprocessedWalletSignedV2,
  walletBodies,
  walletSignedV1V2,
  walletSignedV3,
  walletSignedV4,
} from "./wallet/messages.ts";

/**
 * Every body the service knows by its opcode. Where an opcode is listed more than once, the first name is its name, and
 * the layouts are tried in this order.
 */
export const bodies: readonly Body<unknown>[] = [
  ...transferBodies,
  ...walletBodies,
  ...jettonBodies,
  ...nftBodies,
  ...getgemsBodies,
  ...teleitemBodies,
  ...dnsBodies,
  ...electionsBodies,
  ...subscriptionsBodies,
  ...multisigBodies,
  ...vestingBodies,
  ...nominatorsBodies,
  ...tonstakersBodies,
  ...stonfiBodies,
  ...dedustBodies,
  ...toncoBodies,
  sharedOpcode1,
  ...pythBodies,
  ...evaaBodies,
  ...jvaultBodies,
  ...coffeeBodies,
  ...tgbtcBodies,
  ...cocoonBodies,
  ...bidaskBodies,
  ...bemoBodies,
  ...blumBodies,
  ...channelsBodies,
  ...cronBodies,
  ...gaspumpBodies,
  ...hipoBodies,
  ...invoicesBodies,
  ...megatonBodies,
  ...moonBodies,
  ...storageBodies,
  ...stormBodies,
  ...tegroBodies,
  ...tonkeeperBodies,
  ...loneBodies,
];

/** Bodies of wallets, which begin with a signature instead of an opcode, in the order they are tried. */
export const signedBodies: readonly OpenBody<unknown>[] = [
  preprocessedWalletSignedV2,
  highloadWalletSignedV3,
  highloadWalletSignedV2,
  highloadWalletSignedV1,
  walletSignedV4,
  walletSignedV3,
  walletSignedV1V2,
];
