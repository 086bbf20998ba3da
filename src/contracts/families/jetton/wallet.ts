import type { Cell } from "../../../cell/Cell.ts";
import type { Address } from "../../../model/Address.ts";
import type { DataLayout } from "../../kit/dataLayout.ts";
import { type EntityContext, entity, type Layout, refusableAsync } from "../../kit/entity.ts";
import { notThis } from "../../kit/stack.ts";
import { addressValue } from "../../kit/stackValues.ts";
import { isClaimed as claimedMethod, getWalletAddress, getWalletData } from "./interfaces.ts";
import { bareWallet, mintlessWallet, walletWithCode, walletWithStatus } from "./storage.ts";

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

function withOwnCode(layout: DataLayout<Omit<JettonWalletData, "walletCode">>): Layout<JettonWalletData> {
  return {
    codes: layout.codes,
    read: (data, { code }) => {
      const { balance, owner, jetton } = layout.load(data);
      return { balance, owner, jetton, walletCode: code };
    },
  };
}

/** Whether the owner has claimed, for a wallet that its master confirms; all others are refused. */
export async function confirmWallet(
  { owner, jetton }: JettonWalletData,
  asking: EntityContext,
): Promise<Pick<JettonWallet, "isClaimed">> {
  const [wallet, isClaimed] = await Promise.all([
    asking.other(jetton, getWalletAddress.name, [addressValue(owner)], getWalletAddress.result),
    asking.mayHave(claimedMethod.name)
      ? refusableAsync(() => asking.own(claimedMethod.name, claimedMethod.result))
      : undefined,
  ]);
  if (wallet !== asking.account.address) throw notThis(`${jetton} has another wallet for ${owner}`);
  return { isClaimed };
}

export const jettonWallet = entity({
  methods: ["get_wallet_data"],
  run: (asking): Promise<JettonWalletData> => asking.own(getWalletData.name, getWalletData.result),
  layouts: [
    { codes: walletWithCode.codes, read: walletWithCode.load },
    withOwnCode(walletWithStatus),
    withOwnCode(bareWallet),
    withOwnCode(mintlessWallet),
  ],
  confirm: async (data, asking): Promise<JettonWallet> => {
    const { balance, owner, jetton } = data;
    return { kind: "jettonWallet", balance, owner, jetton, ...(await confirmWallet(data, asking)) };
  },
});
