import { beginCell } from "../../cell/Builder.ts";
import type { Cell } from "../../cell/Cell.ts";
import {
  jettonBurnBody,
  jettonInternalTransfer,
  jettonMintBody,
  jettonTransferBody,
} from "../../contracts/families/jetton/messages.ts";
import type { Address } from "../../model/Address.ts";
import { coin } from "../../model/coins.ts";
import { demoCodes } from "../codes/demoCodes.ts";
import { makeComment, type Transfer } from "../wallets/transfer.ts";
import { beginBody, onchainContent, storeAddress } from "./body.ts";
import { callMethod, type DemoPeople, type DemoStage, sends, stage } from "./DemoStage.ts";
import { type ContractInit, codeCell, makeContract } from "./NewContract.ts";

/** The token of the demo set. */
export interface DemoJetton {
  readonly minter: Address;
  /** The jetton wallet of an owner. */
  walletOf(owner: Address): Address;
}

const decimals = 9;
const content = onchainContent({
  name: "Tongate Demo Coin",
  symbol: "DEMO",
  decimals: String(decimals),
  description: "A token of a local network, worth nothing.",
});

/** A token that is minted, sent with a comment, and burnt. */
export function makeJetton({ alice, bob, carol, dave }: DemoPeople): [DemoJetton, readonly DemoStage[]] {
  const minter = makeMinter(alice.address);
  const walletOf = (owner: Address): Address => makeJettonWallet(owner, minter.address).address;
  const mint = (to: Address, tokens: bigint): Transfer =>
    callMethod(minter.address, coin / 4n, { body: mintBody(to, tokens * coin, alice.address) });
  const pay = (from: Address, to: Address, tokens: bigint, words: string): Transfer =>
    callMethod(walletOf(from), coin / 10n, { body: transferBody(from, to, tokens * coin, words) });
  const stages = [
    stage(sends(alice, { ...mint(alice.address, 1_000_000n), init: minter.init })),
    stage(sends(alice, mint(bob.address, 50_000n), mint(carol.address, 20_000n))),
    stage(
      sends(alice, pay(alice.address, bob.address, 250n, "for the tea")),
      sends(bob, pay(bob.address, carol.address, 75n, "half of the rent")),
    ),
    stage(
      sends(carol, pay(carol.address, dave.address, 1_000n, "welcome, dave")),
      sends(bob, callMethod(walletOf(bob.address), coin / 10n, { body: burnBody(500n * coin, bob.address) })),
    ),
  ];
  return [{ minter: minter.address, walletOf }, stages];
}

// total_supply:Coins admin:MsgAddress content:^Cell wallet_code:^Cell
function makeMinter(admin: Address): ContractInit {
  const data = storeAddress(beginCell().storeCoins(0n), admin)
    .storeRef(content)
    .storeRef(codeCell(demoCodes.jettonWallet))
    .cell();
  return makeContract(demoCodes.jettonMinter, data);
}

// balance:Coins owner:MsgAddress minter:MsgAddress
function makeJettonWallet(owner: Address, minter: Address): ContractInit {
  const data = beginCell().storeCoins(0n);
  return makeContract(demoCodes.jettonWallet, storeAddress(storeAddress(data, owner), minter).cell());
}

function mintBody(to: Address, amount: bigint, excessTo: Address): Cell {
  const noSender = storeAddress(beginBody(jettonInternalTransfer.opcode).storeCoins(amount), undefined);
  const transfer = storeAddress(noSender, excessTo).storeCoins(0n).storeBit(false).cell();
  return storeAddress(beginBody(jettonMintBody.opcode), to)
    .storeCoins(coin / 10n)
    .storeRef(transfer)
    .cell();
}

function transferBody(from: Address, to: Address, amount: bigint, words: string): Cell {
  const addressed = storeAddress(storeAddress(beginBody(jettonTransferBody.opcode).storeCoins(amount), to), from);
  return addressed
    .storeBit(false)
    .storeCoins(coin / 100n)
    .storeBit(true)
    .storeRef(makeComment(words))
    .cell();
}

function burnBody(amount: bigint, excessTo: Address): Cell {
  return storeAddress(beginBody(jettonBurnBody.opcode).storeCoins(amount), excessTo).storeBit(false).cell();
}
