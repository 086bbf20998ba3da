import { mnemonicToPrivateKey, mnemonicValidate } from "@ton/crypto";
import {
  WalletContractV2R2,
  WalletContractV3R1,
  WalletContractV3R2,
  WalletContractV4,
  WalletContractV5R1,
} from "@ton/ton";
import { beforeAll, describe, expect, it } from "vitest";
import { readRoot } from "../../../src/cell/boc.ts";
import { fromBase64 } from "../../../src/lib/bytes.ts";
import { seededRandom } from "../../../src/lib/random.ts";
import { walletCodes } from "../../../src/localnet/codes/walletCodes.ts";
import { makeMnemonic, secretOf } from "../../../src/localnet/wallets/mnemonic.ts";
import { deriveKeys, type NetworkKeys } from "../../../src/localnet/wallets/networkKeys.ts";
import { makeSigningKey } from "../../../src/localnet/wallets/SigningKey.ts";
import { signTransfers } from "../../../src/localnet/wallets/transfer.ts";
import { makeWallet } from "../../../src/localnet/wallets/Wallet.ts";

let keys: NetworkKeys;
beforeAll(async () => {
  keys = await deriveKeys("wallets");
});

const oracles = {
  v2r2: WalletContractV2R2,
  v3r1: WalletContractV3R1,
  v3r2: WalletContractV3R2,
  v4r2: WalletContractV4,
  v5r1: WalletContractV5R1,
};

describe("a funded wallet", () => {
  it("has a mnemonic that wallets accept, with its derived key", async () => {
    for (const { wallet, words } of keys.wallets.slice(0, 3)) {
      expect(await mnemonicValidate([...words])).toBe(true);
      const { publicKey } = await mnemonicToPrivateKey([...words]);
      expect(Buffer.from(wallet.key.publicKey)).toEqual(publicKey);
    }
  });

  it("follows from the seed of the network", async () => {
    const random = seededRandom("wallet 1 of wallets");
    const words = await makeMnemonic(random);
    expect(words).toEqual(keys.wallets[0]?.words);
    expect(makeSigningKey(await secretOf(words)).publicKey).toEqual(keys.wallets[0]?.wallet.key.publicKey);
  });
});

describe("a wallet", () => {
  it.each(Object.entries(oracles))("%s has the same address as in @ton/ton", (version, oracle) => {
    const key = makeSigningKey(new Uint8Array(32).fill(9));
    for (const workchain of [0, -1]) {
      const expected = oracle.create({ workchain, publicKey: Buffer.from(key.publicKey) }).address.toRawString();
      const made = makeWallet(version as keyof typeof oracles, key, { workchain, networkId: -239 });
      expect(made.address).toBe(expected);
    }
  });

  it("v5r1 has the same address as in @ton/ton in a network with another id", () => {
    const key = makeSigningKey(new Uint8Array(32).fill(9));
    const walletId = { networkGlobalId: -777 };
    const expected = WalletContractV5R1.create({ publicKey: Buffer.from(key.publicKey), walletId });
    expect(makeWallet("v5r1", key).address).toBe(expected.address.toRawString());
    expect(makeWallet("v5r1", key, { networkId: -3 }).address).not.toBe(expected.address.toRawString());
  });

  it.each(Object.entries(walletCodes))("%s has the code of its hash", (_, { hash, boc }) => {
    expect(readRoot(fromBase64(boc)).hash()).toBe(hash);
  });

  it("sends no more at once than it can", () => {
    const wallet = makeWallet("v4r2", makeSigningKey(new Uint8Array(32)));
    const transfers = Array.from({ length: 5 }, () => ({ to: wallet.address, amount: 1n }));
    expect(() => signTransfers(wallet, transfers, { seqno: 0, now: 0 })).toThrowError("5 transfers at once");
  });
});
