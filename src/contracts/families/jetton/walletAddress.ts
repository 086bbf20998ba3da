import { beginCell } from "../../../cell/Builder.ts";
import { deployedAddress, type KnownAnswer, storeAddress } from "../../kit/knownAnswer.ts";
import { single, stackAddress } from "../../kit/stack.ts";
import { addressValue } from "../../kit/stackValues.ts";
import { plainMinter, statusMinter } from "./storage.ts";

const owned = single(stackAddress);

/** Wallets begin as balance:Coins owner:MsgAddress jetton:MsgAddress wallet_code:^Cell. */
export const walletAddress: KnownAnswer = {
  method: "get_wallet_address",
  codes: plainMinter.codes,
  answer: (data, stack, account) => {
    const { walletCode: code } = plainMinter.load(data);
    data.end();
    const wallet = storeAddress(storeAddress(beginCell().storeCoins(0n), owned.read(stack)), account.address);
    return [addressValue(deployedAddress(code, wallet.storeRef(code).cell()))];
  },
};

/** Wallets begin as status:uint4 balance:Coins owner:MsgAddress jetton:MsgAddress. */
export const statusWalletAddress: KnownAnswer = {
  method: "get_wallet_address",
  codes: statusMinter.codes,
  answer: (data, stack, account) => {
    const { walletCode: code } = statusMinter.load(data);
    data.end();
    const wallet = beginCell().storeUint(0, 4).storeCoins(0n);
    storeAddress(storeAddress(wallet, owned.read(stack)), account.address);
    return [addressValue(deployedAddress(code, wallet.cell()))];
  },
};
