import { declareFamily } from "../../engine/declareFamily.ts";
import { gaslessRequest } from "../../engine/nodes.ts";
import { changeWalletKey, changeWalletKeyMatcher } from "./actions.ts";
import {
  telegramWallet,
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
} from "./interfaces.ts";
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
  telegramWallet,
  walletHighloadV1r1,
  walletHighloadV1r2,
  walletHighloadV2,
  walletHighloadV2r1,
  walletHighloadV2r2,
  walletHighloadV3r1,
  walletPreprocessedV2,
  walletVesting,
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
  plainInterfaces: walletInterfaces.filter(({ name }) => name !== walletVesting.name),
  matchers: { changeKey: changeWalletKeyMatcher },
  types: { v5: [changeWalletKey.type, gaslessRequest.type] },
});
