import { declareFamily } from "../../engine/declareFamily.ts";
import { failedTransferMatcher, jettonBurnMatcher, jettonTransferMatcher, ptonTransferMatcher } from "./actions.ts";
import {
  jettonMasterInterface,
  jettonWalletGoverned,
  jettonWalletInterface,
  jettonWalletV1,
  jettonWalletV2,
} from "./interfaces.ts";
import { jettonMaster } from "./master.ts";
import { jettonBodies, jettonNotify, jettonTransferBody } from "./messages.ts";
import { jettonMintMatcher } from "./mint.ts";
import { jettonWallet } from "./wallet.ts";
import { statusWalletAddress, walletAddress } from "./walletAddress.ts";

const types = ["jetton_transfer", "jetton_burn", "jetton_mint"];

/** Jettons (TEP-74). */
export const family = declareFamily({
  bodies: jettonBodies,
  interfaces: [jettonMasterInterface, jettonWalletInterface, jettonWalletV1, jettonWalletV2, jettonWalletGoverned],
  entities: [jettonMaster, jettonWallet],
  knownAnswers: [walletAddress, statusWalletAddress],
  matchers: {
    transfer: jettonTransferMatcher,
    ptonTransfer: ptonTransferMatcher,
    burn: jettonBurnMatcher,
    mint: jettonMintMatcher,
    failedTransfer: failedTransferMatcher,
  },
  types: { v1: types, sets: { jettons: types } },
  facts: { payloadOf: (body) => (jettonTransferBody.find(body) ?? jettonNotify.find(body))?.forwardPayload },
});
