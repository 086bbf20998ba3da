import { declareFamily } from "../../engine/declareFamily.ts";
import { gaslessRequest } from "../../engine/nodes.ts";
import { changeWalletKey, changeWalletKeyMatcher } from "./actions.ts";
import * as wallets from "./interfaces.ts";
import {
  highloadWalletSignedV1,
  highloadWalletSignedV2,
  highloadWalletSignedV3,
  preprocessedWalletSignedV2,
  walletBodies,
  walletSignedV1V2,
  walletSignedV3,
  walletSignedV4,
} from "./messages.ts";

/** The most common accounts. The first versions have no list of methods, so detection would run every check in vain. */
const walletInterfaces = [
  wallets.walletV1r1,
  wallets.walletV1r2,
  wallets.walletV1r3,
  wallets.walletV2r1,
  wallets.walletV2r2,
  wallets.walletV3r1,
  wallets.walletV3r2,
  wallets.walletV4r1,
  wallets.walletV4r2,
  wallets.walletV5Beta,
  wallets.walletV5r1,
  wallets.telegramWallet,
  wallets.walletHighloadV1r1,
  wallets.walletHighloadV1r2,
  wallets.walletHighloadV2,
  wallets.walletHighloadV2r1,
  wallets.walletHighloadV2r2,
  wallets.walletHighloadV3r1,
  wallets.walletPreprocessedV2,
];

/** Wallets of all versions. */
export const family = declareFamily({
  bodies: walletBodies,
  signedBodies: [
    preprocessedWalletSignedV2,
    highloadWalletSignedV3,
    highloadWalletSignedV2,
    highloadWalletSignedV1,
    walletSignedV4,
    walletSignedV3,
    walletSignedV1V2,
  ],
  interfaces: walletInterfaces,
  plainInterfaces: walletInterfaces,
  matchers: { changeKey: changeWalletKeyMatcher },
  types: { v5: [changeWalletKey.type, gaslessRequest.type] },
});
