import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { LocalServices } from "../../../src/api/local/LocalServices.ts";
import { makeLocalApi } from "../../../src/api/local/localVersion.ts";
import { emptyCell } from "../../../src/cell/Builder.ts";
import { makeDemo } from "../../../src/localnet/demo/Demo.ts";
import { LocalnetError } from "../../../src/localnet/errors.ts";
import type { PostedTransfer } from "../../../src/localnet/network/WalletSender.ts";
import { LocalValidator } from "../../../src/localnet/rounds/validators.ts";
import { makeSigningKey } from "../../../src/localnet/wallets/SigningKey.ts";
import { makeComment } from "../../../src/localnet/wallets/transfer.ts";
import { makeWallet } from "../../../src/localnet/wallets/Wallet.ts";
import { makeAddress } from "../../../src/model/Address.ts";
import { hashToBase64, parseHash, zeroHash } from "../../../src/model/Hash.ts";
import { openApiServer, type TestServer } from "../../kit/api/apiServer.ts";
import { openChainKit } from "../../kit/localnet/localChain.ts";
import { ManualClock } from "../../kit/suite/ManualClock.ts";

const messageHash = parseHash("ab".repeat(32));
const to = `0:${"1".repeat(64)}`;

/** A clock on which every wait ends at once. */
class HastyClock extends ManualClock {
  override timer(_delayMs: number, fire: () => void): () => void {
    fire();
    return () => {};
  }
}

const wallets = Array.from({ length: 5 }, (_, i) => {
  const secret = new Uint8Array(32).fill(i);
  return { wallet: makeWallet("v5r1", makeSigningKey(secret)), words: [], secret };
});
const validator = new LocalValidator(new Uint8Array(32), zeroHash);
const stake = { validator, wallet: makeWallet("v4r2", makeSigningKey(new Uint8Array(32))), amount: 1n, maxFactor: 1 };
const demo = makeDemo({ wallets, validators: [validator, validator, validator], stakes: [stake, stake] });

const testAddress = makeAddress(0, "ab".repeat(32));

const kept = { name: "first", seqno: 7, chainTime: 1_700_000_000, madeAt: 1_700_000_001, bytes: 12 };
const snapshots: LocalServices["snapshots"] = {
  list: () => [kept],
  make: async (name = "block-7") => ({ ...kept, name }),
  add: async (name, made) => ({ ...kept, ...made, name }),
  get: (name) => ({ ...kept, name }),
  read: () => new Uint8Array(12),
  delete: (name) => ({ ...kept, name }),
  getArchive: () => ({ path: "first.chain", bytes: 12 }),
  restore: async () => 7,
  reset: async () => 0,
};
const kit = await openChainKit();
let chainNow = 1_700_000_000;
let posted: () => Promise<PostedTransfer>;
let server: TestServer;
beforeAll(async () => {
  const services: LocalServices = {
    faucet: { post: () => posted() },
    chains: { open: () => expect.unreachable("no chain is asked") },
    net: (await kit.open()).net,
    now: () => chainNow,
    advanceTime: (seconds) => {
      chainNow += seconds;
    },
    snapshots,
    liteServer: { host: "127.0.0.1", port: 4443, key: "a2V5", configPath: "/data/global.config.json" },
    makeBlock: async () => ({ seqno: 12, madeAt: chainNow }),
    wallets: [
      {
        name: "wallet 1",
        address: testAddress,
        version: "v5r1",
        words: ["one", "two"],
        derivedWith: "network id -777",
        blueprint: ["WALLET_VERSION=v5r1", "WALLET_NETWORK_ID=-777"],
      },
      {
        ...{ name: "wallet 2", address: testAddress, version: "v2r2", words: ["three"] },
        ...{ derivedWith: undefined, blueprint: undefined },
      },
    ],
    setConditions: () => {},
    signTransfer: ({ from, to, amount }) => ({
      ...{ from, message: emptyCell, body: makeComment(`${to} ${amount}`), init: undefined },
      validUntil: 1_700_000_060,
    }),
    demo: () => demo,
    clock: new HastyClock(),
  };
  server = await openApiServer(makeLocalApi("loopback"), services);
});
afterAll(async () => {
  await server.close();
  await kit.close();
});

async function give(): Promise<{ readonly status: number; readonly body: unknown }> {
  const body = JSON.stringify({ address: to, amount: 7 });
  const response = await fetch(`${server.origin}/localnet/faucet`, { method: "POST", body });
  return { status: response.status, body: await response.json() };
}

describe("the faucet", () => {
  it("reports a pending transfer when no block has it in time", async () => {
    posted = async () => ({ messageHash, sent: new Promise(() => {}) });
    expect(await give()).toEqual({
      status: 200,
      body: {
        ok: true,
        result: {
          "@type": "localnet.gift",
          address: to,
          amount: "7",
          message_hash: hashToBase64(messageHash),
          status: "pending",
          mc_seqno: null,
        },
        "@extra": expect.any(String),
      },
    });
  });

  it("reports that the server is stopping", async () => {
    posted = () => Promise.reject(new LocalnetError("localnet/closed", "the sender is closed"));
    expect(await give()).toMatchObject({ status: 503, body: { ok: false, code: 503 } });
  });

  it("accepts only POST", async () => {
    const response = await fetch(`${server.origin}/localnet/faucet?address=${to}`);
    expect([response.status, await response.json()]).toMatchObject([405, { ok: false, code: 405 }]);
  });
});

describe("the time of the chain", () => {
  async function advance(body: object): Promise<unknown> {
    const response = await fetch(`${server.origin}/localnet/advance`, { method: "POST", body: JSON.stringify(body) });
    return response.json();
  }

  it("advances by the requested seconds", async () => {
    const result = { "@type": "localnet.time", now: 1_700_000_060, machine_now: 1_700_000_000, ahead: 60 };
    expect(await advance({ seconds: 60 })).toMatchObject({ ok: true, result });
  });

  it("cannot go back or advance by more than a year", async () => {
    for (const seconds of [-1, 0, 400 * 24 * 3600, "soon", undefined])
      expect(await advance({ seconds })).toMatchObject({ ok: false, code: 422 });
  });
});

describe("the list of the demo set", () => {
  it("has every contract with its address", async () => {
    const response = await fetch(`${server.origin}/localnet/demo`);
    const { result } = (await response.json()) as { result: readonly { name: string; address: string }[] };
    const byName = new Map(result.map(({ name, address }) => [name, address]));
    expect(byName.size).toBe(24);
    expect(byName.get("jetton master")).toBe(demo.jetton.minter);
    expect(byName.get("vesting wallet")).toBe(demo.vesting.wallet);
  });
});

describe("the wallets of a local network", () => {
  it("are listed with their mnemonics", async () => {
    const response = await fetch(`${server.origin}/localnet/wallets`);
    expect(await response.json()).toMatchObject({
      ok: true,
      result: [
        {
          ...{ name: "wallet 1", address: testAddress, version: "v5r1", words: "one two" },
          ...{ derived_with: "network id -777", blueprint: "WALLET_VERSION=v5r1\nWALLET_NETWORK_ID=-777" },
        },
        {
          ...{ name: "wallet 2", address: testAddress, version: "v2r2", words: "three" },
          ...{ derived_with: null, blueprint: null },
        },
      ],
    });
  });
});
