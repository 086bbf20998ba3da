import type { Cell } from "../../../cell/Cell.ts";
import type { Address } from "../../../model/Address.ts";
import { type Hash, parseHash } from "../../../model/Hash.ts";
import { entity, type Layout } from "../../kit/entity.ts";
import { addressOrNone, cell, flag, loadStandardAddress, stack, stackInt } from "../../kit/stack.ts";
import { readTokenContent, type TokenContent } from "../../kit/tokenContent.ts";

/** A contract that issues a jetton. */
export interface JettonMaster {
  readonly kind: "jettonMaster";
  readonly totalSupply: bigint;
  readonly mintable: boolean;
  readonly admin: Address | undefined;
  readonly content: TokenContent;
  readonly walletCodeHash: Hash;
}

/** The answer of a master. */
export interface MasterData {
  readonly totalSupply: bigint;
  readonly mintable: boolean;
  readonly admin: Address | undefined;
  readonly content: Cell;
  readonly walletCode: Cell;
}

/** The answer of `get_jetton_data`. */
export const jettonData = stack({
  totalSupply: stackInt,
  mintable: flag,
  admin: addressOrNone,
  content: cell,
  walletCode: cell,
});

/** Minters whose wallets contain their own code. */
export const plainMinterCodes = [
  parseHash("BXGXbGPsG3VQIwomCdvts24bZO+NAioWs06lcGMYWy8="),
  parseHash("+VugMws4zfNFmx6BHl/G+mz+5WbXt2RFXARoFANlpzc="),
  parseHash("mg+Y3W+/Il7vgWXk5kQX7pMffuoABlNDnntdzcBkTNY="),
  parseHash("4LeOjpESo4WutQnJgyQzOk+eXOv6zFBCuVxyNzxNfTk="),
];

// total_supply:Coins admin:MsgAddress content:^Cell wallet_code:^Cell
const minter: Layout<MasterData> = {
  codes: plainMinterCodes,
  read: (data) => ({
    totalSupply: data.loadCoins(),
    mintable: true,
    admin: loadStandardAddress(data),
    content: data.loadRef(),
    walletCode: data.loadRef(),
  }),
};

export const jettonMaster = entity({
  methods: ["get_jetton_data"],
  run: (asking): Promise<MasterData> => asking.own("get_jetton_data", jettonData),
  layouts: [minter],
  confirm: ({ totalSupply, mintable, admin, content, walletCode }): JettonMaster => ({
    kind: "jettonMaster",
    totalSupply,
    mintable,
    admin,
    content: readTokenContent(content),
    walletCodeHash: walletCode.hash(),
  }),
});
