import type { Cell } from "../../../cell/Cell.ts";
import type { Slice } from "../../../cell/Slice.ts";
import type { Address } from "../../../model/Address.ts";
import { parseHash } from "../../../model/Hash.ts";
import { type EntityContext, entity, type Layout, refusableAsync } from "../../kit/entity.ts";
import {
  cell,
  flag,
  loadStandardAddress,
  notThis,
  single,
  someAddress,
  stack,
  stackAddress,
  stackInt,
} from "../../kit/stack.ts";
import { addressValue } from "../../kit/stackValues.ts";
import { jettonWalletV1 } from "./interfaces.ts";

/** A contract that holds jettons of an owner, confirmed by their master. */
export interface JettonWallet {
  readonly kind: "jettonWallet";
  readonly balance: bigint;
  readonly owner: Address;
  readonly jetton: Address;
  /** For a mintless jetton, whether the owner has claimed; `undefined` for all others. */
  readonly isClaimed: boolean | undefined;
}

/** The answer of a wallet. */
export interface JettonWalletData {
  readonly balance: bigint;
  readonly owner: Address;
  readonly jetton: Address;
  readonly walletCode: Cell;
}

const walletData = stack({ balance: stackInt, owner: stackAddress, jetton: stackAddress, walletCode: cell });

/** Owner and jetton are adjacent in all layouts. */
function loadParties(data: Slice): Pick<JettonWalletData, "owner" | "jetton"> {
  const owner = someAddress(loadStandardAddress(data));
  return { owner, jetton: someAddress(loadStandardAddress(data)) };
}

// balance:Coins owner:MsgAddress jetton:MsgAddress wallet_code:^Cell
const withCode: Layout<JettonWalletData> = {
  codes: [
    ...jettonWalletV1.codes,
    parseHash("St9IE1y1da267Udnmch/8pBCabH5Sa2k0EeekQS28hc="),
    // Also shares in pools of DeDust.
    parseHash("p2DWKdU0PnbQRQF9ncIW/IoweoN3gV/rKwpcSQ5zNIY="),
    // Shares in pools of STON.fi and of swap.coffee.
    parseHash("CFfN2Jx0hEFQys01zQIL75Fny+Es0zDfuMd5wU1rFVI="),
    parseHash("5c5gBcC3ENmyyuUH3K8ZXfis49aGnH2QsXp79aG7+Fg="),
  ],
  read: (data) => ({ balance: data.loadCoins(), ...loadParties(data), walletCode: data.loadRef() }),
};

// status:uint4 balance:Coins owner:MsgAddress jetton:MsgAddress
const withStatus: Layout<JettonWalletData> = {
  codes: [
    parseHash("j0Utek39dAZraCNlF3JZ7QVzRDW+drX9S9XYryt8PWg="),
    parseHash("uikYyJR+myWvmsG4gzV3VBc+WBL4B6PW5kKhRwlZU5U="),
  ],
  read: (data, { code }) => ({ balance: data.skip(4).loadCoins(), ...loadParties(data), walletCode: code }),
};

// balance:Coins owner:MsgAddress jetton:MsgAddress
const bare: Layout<JettonWalletData> = {
  codes: [parseHash("NGJQwgX1as+2r6b+e3ZVCAXSVsbY5H3U+U/2crR9GdM=")],
  read: (data, { code }) => ({ balance: data.loadCoins(), ...loadParties(data), walletCode: code }),
};

// status:uint4 balance:Coins owner:MsgAddress jetton:MsgAddress merkle_root:uint256 salt:uint10
const mintless: Layout<JettonWalletData> = {
  codes: [parseHash("DxrT2KRr0oMyHd5jkZX7cmAumzGxcn/swl4u3BCWbfQ=")],
  read: (data, account) => {
    const jettonWalletData = withStatus.read(data, account);
    data.skip(266);
    return jettonWalletData;
  },
};

/** Whether the owner has claimed, for a wallet that its master confirms; all others are refused. */
export async function confirmWallet(
  { owner, jetton }: JettonWalletData,
  asking: EntityContext,
): Promise<Pick<JettonWallet, "isClaimed">> {
  const [wallet, isClaimed] = await Promise.all([
    asking.other(jetton, "get_wallet_address", [addressValue(owner)], single(stackAddress)),
    asking.mayHave("is_claimed") ? refusableAsync(() => asking.own("is_claimed", single(flag))) : undefined,
  ]);
  if (wallet !== asking.account.address) throw notThis(`${jetton} has another wallet for ${owner}`);
  return { isClaimed };
}

export const jettonWallet = entity({
  methods: ["get_wallet_data"],
  run: (asking): Promise<JettonWalletData> => asking.own("get_wallet_data", walletData),
  layouts: [withCode, withStatus, bare, mintless],
  confirm: async (data, asking): Promise<JettonWallet> => {
    const { balance, owner, jetton } = data;
    return { kind: "jettonWallet", balance, owner, jetton, ...(await confirmWallet(data, asking)) };
  },
});
