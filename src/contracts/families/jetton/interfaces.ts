import { contract, contractByCode } from "../../kit/contract.ts";
import { getMethod } from "../../kit/getMethod.ts";
import { addressOrNone, cell, contentCell, flag, single, stack, stackAddress, stackInt } from "../../kit/stack.ts";
import * as messages from "./messages.ts";
import * as storage from "./storage.ts";

export const getJettonData = getMethod(
  "get_jetton_data",
  stack({ totalSupply: stackInt, mintable: flag, admin: addressOrNone, content: contentCell, walletCode: cell }),
);

export const getWalletAddress = getMethod("get_wallet_address", single(stackAddress, "wallet"), {
  owner: stackAddress,
});

export const getWalletData = getMethod(
  "get_wallet_data",
  stack({ balance: stackInt, owner: stackAddress, jetton: stackAddress, walletCode: cell }),
);

/** Of wallets of mintless jettons. */
export const isClaimed = getMethod("is_claimed", single(flag, "claimed"));

/** Of wallets with a status. */
const getStatus = getMethod("get_status", single(stackInt, "status"));

export const jettonMasterInterface = contract({
  name: "jetton_master",
  methods: [getJettonData, getWalletAddress],
  receives: [
    messages.minterJettonMint,
    messages.jettonMintBody,
    messages.jettonBurnNotification,
    messages.jettonChangeAdmin,
    messages.provideWalletAddress,
  ],
  sends: [messages.jettonInternalTransfer, messages.takeWalletAddress, messages.excesses],
  storage: [storage.plainMinter, storage.statusMinter],
  errors: {
    73: "the sender is not the administrator",
    74: "the sender is not a wallet of this jetton",
    75: "not enough coins to answer",
  },
});

export const jettonWalletInterface = contract({
  name: "jetton_wallet",
  methods: [getWalletData],
  furtherMethods: [isClaimed, getStatus],
  receives: [
    messages.jettonTransferBody,
    messages.jettonInternalTransfer,
    messages.jettonInternalTransferPlain,
    messages.jettonBurnBody,
    messages.jettonSetStatus,
  ],
  sends: [messages.jettonInternalTransfer, messages.jettonNotify, messages.jettonBurnNotification, messages.excesses],
  storage: [storage.walletWithCode, storage.walletWithStatus, storage.bareWallet, storage.mintlessWallet],
  errors: {
    45: "the wallet is locked",
    47: "not enough jettons",
    48: "not enough coins for gas",
    49: "the message is invalid",
    73: "the sender is not the owner",
    74: "the sender is neither the master nor a wallet of this jetton",
    333: "the address is in another workchain",
    705: "the sender is not the owner",
    706: "not enough jettons",
    707: "the sender is neither the master nor a wallet of this jetton",
    708: "the forward payload is malformed",
    709: "not enough coins for gas",
  },
});

export const jettonWalletV1 = contractByCode("jetton_wallet_v1", storage.jettonWalletV1Code, jettonWalletInterface);

export const jettonWalletV2 = contractByCode(
  "jetton_wallet_v2",
  "jSjqQht36AX+pSrPM1KWSZ8Drsjp/SHdtfJWSqZcSN4=",
  jettonWalletInterface,
);

export const jettonWalletGoverned = contractByCode(
  "jetton_wallet_governed",
  "iUaPAseOVwgC45l5yFFvw43wfqdqSDV+BTbyuns+43s=",
  jettonWalletInterface,
);
