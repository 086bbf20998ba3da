import { beginCell } from "../../../cell/Builder.ts";
import { parseHash } from "../../../model/Hash.ts";
import { deployedAddress, type KnownAnswer, storeAddress } from "../../kit/knownAnswer.ts";
import { loadStandardAddress, single, stackAddress } from "../../kit/stack.ts";
import { addressValue } from "../../kit/stackValues.ts";
import { plainMinterCodes } from "./master.ts";

const owned = single(stackAddress);

// total_supply:Coins admin:MsgAddress content:^Cell wallet_code:^Cell
/** Wallets begin as balance:Coins owner:MsgAddress jetton:MsgAddress wallet_code:^Cell. */
export const walletAddress: KnownAnswer = {
  method: "get_wallet_address",
  codes: plainMinterCodes,
  answer: (data, stack, account) => {
    data.loadCoins();
    loadStandardAddress(data);
    const code = data.skipRefs(1).loadRef();
    data.end();
    const wallet = storeAddress(storeAddress(beginCell().storeCoins(0n), owned.read(stack)), account.address);
    return [addressValue(deployedAddress(code, wallet.storeRef(code).cell()))];
  },
};

// total_supply:Coins admin:MsgAddress next_admin:MsgAddress wallet_code:^Cell metadata_uri:^Cell
/** Wallets begin as status:uint4 balance:Coins owner:MsgAddress jetton:MsgAddress. */
export const statusWalletAddress: KnownAnswer = {
  method: "get_wallet_address",
  codes: [
    parseHash("+D0FSQr3ycxYAZSIx7JTyUktScJdEtCTg+UugVN+NDo="),
    parseHash("GNW254D/C7RRJUwsdg0J1uSFY4zRQHq7lweHUsPBye4="),
  ],
  answer: (data, stack, account) => {
    data.loadCoins();
    loadStandardAddress(data);
    loadStandardAddress(data);
    const code = data.loadRef();
    data.skipRefs(1).end();
    const wallet = beginCell().storeUint(0, 4).storeCoins(0n);
    storeAddress(storeAddress(wallet, owned.read(stack)), account.address);
    return [addressValue(deployedAddress(code, wallet.cell()))];
  },
};
