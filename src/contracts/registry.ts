import { bemoBodies } from "./families/bemo/messages.ts";
import { bidaskBodies } from "./families/bidask/messages.ts";
import { blumBodies } from "./families/blum/messages.ts";
import { channelsBodies } from "./families/channels/messages.ts";
import { cocoonBodies } from "./families/cocoon/messages.ts";
import { coffeeBodies } from "./families/coffee/messages.ts";
import { cronBodies } from "./families/cron/messages.ts";
import { dedustBodies } from "./families/dedust/messages.ts";
import { dnsBodies } from "./families/dns/messages.ts";
import { electionsBodies } from "./families/elections/messages.ts";
import { evaaBodies, sharedOpcode1 } from "./families/evaa/messages.ts";
import { gaspumpBodies } from "./families/gaspump/messages.ts";
import { getgemsBodies } from "./families/getgems/messages.ts";
import { hipoBodies } from "./families/hipo/messages.ts";
import { invoicesBodies } from "./families/invoices/messages.ts";
import { jettonBodies } from "./families/jetton/messages.ts";
import { jvaultBodies } from "./families/jvault/messages.ts";
import { loneBodies } from "./families/lone/messages.ts";
import { megatonBodies } from "./families/megaton/messages.ts";
import { moonBodies } from "./families/moon/messages.ts";
import { multisigBodies } from "./families/multisig/messages.ts";
import { nftBodies } from "./families/nft/messages.ts";
import { nominatorsBodies } from "./families/nominators/messages.ts";
import { pythBodies } from "./families/pyth/messages.ts";
import { stonfiBodies } from "./families/stonfi/messages.ts";
import { storageBodies } from "./families/storage/messages.ts";
import { stormBodies } from "./families/storm/messages.ts";
import { subscriptionsBodies } from "./families/subscriptions/messages.ts";
import { tegroBodies } from "./families/tegro/messages.ts";
import { teleitemBodies } from "./families/teleitem/messages.ts";
import { tgbtcBodies } from "./families/tgbtc/messages.ts";
import { toncoBodies } from "./families/tonco/messages.ts";
import { tonkeeperBodies } from "./families/tonkeeper/messages.ts";
import { tonstakersBodies } from "./families/tonstakers/messages.ts";
import { transferBodies } from "./families/transfer/messages.ts";
import { vestingBodies } from "./families/vesting/messages.ts";
import {
  highloadWalletSignedV1,
  highloadWalletSignedV2,
  highloadWalletSignedV3,
  preprocessedWalletSignedV2,
  walletBodies,
  walletSignedV1V2,
  walletSignedV3,
  walletSignedV4,
} from "./families/wallet/messages.ts";
import type { Body, OpenBody } from "./kit/declare.ts";

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
