import { expect, it } from "vitest";
import { beginCell } from "../../src/cell/Builder.ts";
import type { Cell } from "../../src/cell/Cell.ts";
import type { AccountNow } from "../../src/chain/accounts.ts";
import { getAccount } from "../../src/chain/accounts.ts";
import { identifyContract } from "../../src/chain/knownContracts.ts";
import { findWallet } from "../../src/chain/wallets.ts";
import { makeAddress } from "../../src/model/Address.ts";
import { openChain } from "../kit/chain/openChain.ts";
import { importSplitChain } from "../kit/localnet/splitChain.ts";

const chain = openChain(importSplitChain());
const someone = await getAccount(chain, makeAddress(0, "1".repeat(64)));

/** An account with a code of which only the hash matters. */
function active(codeHash: string, data: Cell): AccountNow {
  const code = Object.assign(Object.create(beginCell().cell()), { hash: () => codeHash }) as Cell;
  return { ...someone, content: { kind: "active", code, data } };
}

const v3r2 = "84dafa449f98a6987789ba232358072bc0f76dc4524002a5d0918b9a75d2d599";
const v5r1 = "20834b7b72b112147e1b2fb457b84e74d1a30f04f737d4f62a668e9552d2b72f";

it("reads a wallet's numbers signed for wallets, and unsigned for contracts", () => {
  const account = active(v3r2, beginCell().storeUint(7, 32).storeInt(-1, 32).cell());
  expect(findWallet(account)).toEqual({ type: "wallet v3 r2", seqno: 7, walletId: -1, isSignatureAllowed: undefined });
  expect(identifyContract(account)).toEqual({
    contract: { kind: "walletV3", seqno: 7, walletId: 0xffffffff },
    revision: 2,
  });
});

it("reads whether a wallet of version 5 accepts signatures", () => {
  const data = beginCell().storeBit(true).storeUint(3, 32).storeUint(5, 32).cell();
  expect(findWallet(active(v5r1, data))).toEqual({
    type: "wallet v5 r1",
    seqno: 3,
    walletId: 5,
    isSignatureAllowed: true,
  });
});

it("does not recognise a wallet without data", () => {
  expect(findWallet(active(v3r2, beginCell().cell()))).toBeUndefined();
  expect(identifyContract(active(v3r2, beginCell().cell())).contract.kind).toBe("raw");
  expect(findWallet(someone)).toBeUndefined();
  expect(identifyContract(someone).contract.kind).toBe("uninited");
});
