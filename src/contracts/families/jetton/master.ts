import type { Cell } from "../../../cell/Cell.ts";
import type { Address } from "../../../model/Address.ts";
import type { Hash } from "../../../model/Hash.ts";
import { entity, type Layout } from "../../kit/entity.ts";
import { readTokenContent, type TokenContent } from "../../kit/tokenContent.ts";
import { getJettonData } from "./interfaces.ts";
import { plainMinter } from "./storage.ts";

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

const minter: Layout<MasterData> = {
  codes: plainMinter.codes,
  read: (data) => ({ ...plainMinter.load(data), mintable: true }),
};

export const jettonMaster = entity({
  methods: ["get_jetton_data"],
  run: (asking): Promise<MasterData> => asking.own(getJettonData.name, getJettonData.result),
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
