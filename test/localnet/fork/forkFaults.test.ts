import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { getAccountState, lookupBlockWithProof } from "../../../src/lite/tl/liteQueries.ts";
import { serverError } from "../../../src/lite/tl/liteRecords.ts";
import { decodeQuery } from "../../../src/lite/tl/queryEnvelope.ts";
import { decode, encode } from "../../../src/lite/tl/types.ts";
import { type Address, makeAddress } from "../../../src/model/Address.ts";
import type { Hash } from "../../../src/model/Hash.ts";
import { type ServedOrigin, serveOrigin } from "../../kit/localnet/forkOrigin.ts";
import { type ChainKit, openChainKit, type TestChain } from "../../kit/localnet/localChain.ts";

const coin = 1_000_000_000n;

let kit: ChainKit;
let origin: TestChain;
const opened: ServedOrigin[] = [];
beforeAll(async () => {
  kit = await openChainKit();
  origin = await kit.open();
  await origin.send(origin.wallet(0), ...receivers.map((to) => ({ to, amount: coin })));
  await origin.rounds(4);
});
afterEach(async () => {
  for (const served of opened.splice(0)) await served.close();
});
afterAll(() => kit.close());

const receivers: readonly Address[] = [1, 2, 3, 4].map((i) => makeAddress(0, `${i}`.repeat(64) as Hash));
const [first, second, third, fourth] = receivers as [Address, Address, Address, Address];

async function serve(...args: Parameters<typeof serveOrigin>): Promise<ServedOrigin> {
  const served = await serveOrigin(...args);
  opened.push(served);
  return served;
}

describe("a fork whose origin", () => {
  it("sends an account that its proof does not show refuses it, and stores nothing", async () => {
    let lies = false;
    const served = await serve(origin.net, async (query, lite, signal) => {
      const answer = await lite.ask(query, { signal });
      if (!lies || decodeQuery(query).query.id !== getAccountState.id) return answer;
      const told = decode(getAccountState.answer.boxed, answer);
      const state = Uint8Array.from(told.state, (byte, i) => (i === told.state.length - 40 ? byte ^ 1 : byte));
      return encode(getAccountState.answer.boxed, { ...told, state });
    });
    const fork = await kit.open({ fork: { origin: served } });
    const before = fork.net.fork?.report().accounts;
    lies = true;
    await expect(fork.net.touch([first])).rejects.toMatchObject({ code: "localnet/origin" });
    expect(fork.net.fork?.report().accounts).toBe(before);
    expect(() => fork.balance(first)).toThrow("does not contain");
    lies = false;
    await fork.net.touch([first]);
    expect(fork.balance(first)).toBe(origin.balance(first));
  });

  it("sends another block refuses to begin", async () => {
    const served = await serve(origin.net, async (query, lite, signal) => {
      const answer = await lite.ask(query, { signal });
      return answer.length > 2_000 ? Uint8Array.from(answer, (byte, i) => (i === 1_000 ? byte ^ 1 : byte)) : answer;
    });
    await expect(kit.open({ fork: { origin: served } })).rejects.toMatchObject({ code: "lite/proof" });
  });

  it("is gone goes on with what it has, and delivers the rest when it is back", async () => {
    let isGone = false;
    const served = await serve(origin.net, (query, lite, signal) => {
      if (isGone) return Promise.reject(new Error("gone"));
      return lite.ask(query, { signal });
    });
    const fork = await kit.open({ fork: { origin: served } });
    const wallet = fork.wallet(0);
    await fork.net.touch([wallet.address, first]);
    isGone = true;
    await expect(fork.net.touch([second])).rejects.toMatchObject({ code: "localnet/origin" });
    const before = fork.balance(first);
    await fork.send(wallet, { to: first, amount: coin });
    await fork.rounds(2);
    expect(fork.balance(first)).toBeGreaterThan(before);
    await fork.send(wallet, { to: second, amount: coin });
    await fork.rounds(3);
    expect(fork.log.lines).toContain("messages wait for accounts that the origin of the fork does not give");
    isGone = false;
    await fork.rounds(3);
    expect(fork.balance(second)).toBeGreaterThan(origin.balance(second));
  });

  it("does not have the block says so, with the oldest one that it has", async () => {
    const served = await serve(origin.net, (query, lite, signal) => {
      const { query: asked, args } = decodeQuery(query);
      const { id } = Object(args);
      const isOld = asked.name.startsWith("liteServer.lookupBlock") && id.workchain === -1 && id.seqno < 3;
      if (!isOld) return lite.ask(query, { signal });
      return Promise.resolve(
        encode(serverError.boxed, { code: 651, message: "cannot find block: ltdb: block not found" }),
      );
    });
    expect(lookupBlockWithProof.name).toContain("lookupBlock");
    const old = kit.open({ fork: { origin: served, seqno: 2 } });
    await expect(old).rejects.toThrow("does not have block 2 any more; the oldest one it has is 3");
    const future = kit.open({ fork: { origin: served, seqno: 1_000 } });
    await expect(future).rejects.toThrow("has no block 1000 yet");
  });

  it("has deleted nothing deletes accounts beside others that have not come", async () => {
    const served = await serve(origin.net);
    const fork = await kit.open({ fork: { origin: served } });
    await fork.net.touch([third]);
    fork.net.controls.write(third, { kind: "account", account: { kind: "none" } });
    await fork.rounds(1);
    expect(fork.net.account(third).account.load().kind).toBe("none");
    await fork.net.touch([fourth]);
    expect(fork.balance(fourth)).toBe(origin.balance(fourth));
  });

  it("has lost the block says so when the fork is opened again", async () => {
    const folder = mkdtempSync(join(tmpdir(), "tongate-fork-"));
    let hasLost = false;
    const served = await serve(origin.net, (query, lite, signal) => {
      if (!hasLost) return lite.ask(query, { signal });
      return Promise.resolve(encode(serverError.boxed, { code: 651, message: "block handle not in db" }));
    });
    const fork = await kit.open({ fork: { origin: served }, folder });
    await fork.net.close();
    hasLost = true;
    const again = await kit.open({ fork: { origin: served }, folder });
    const told = () => again.log.lines.includes("the origin of the fork gives nothing more; what was fetched stays");
    await expect.poll(told, { timeout: 300_000 }).toBe(true);
    await again.rounds(1);
    await again.net.close();
    rmSync(folder, { recursive: true });
  });
});
