import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writeBoc } from "../../src/cell/boc.ts";
import { toBase64 } from "../../src/lib/bytes.ts";
import type { Localnet } from "../../src/localnet/network/Localnet.ts";
import { signTransfers } from "../../src/localnet/wallets/transfer.ts";
import { makeAddress } from "../../src/model/Address.ts";
import { hashToBase64 } from "../../src/model/Hash.ts";
import { RemoteStage, type TestService } from "../kit/app/remoteStage.ts";
import type { ServedChain } from "../kit/lite/serveChain.ts";

const patient = { timeout: 300_000, interval: 50 };

describe("a network behind two lite servers", () => {
  let stage: RemoteStage;
  let net: Localnet;
  let servers: readonly [ServedChain, ServedChain];
  let service: TestService;

  beforeAll(async () => {
    stage = await RemoteStage.open();
    net = await stage.openNet();
    servers = [await stage.openServer(net.lite), await stage.openServer(net.lite)];
    service = await stage.serve(["--network", stage.writeGlobalConfig("two.json", net, servers)]);
  });

  afterAll(() => stage.close());

  const seqnoOf = async () =>
    Object((await service.ask("/api/v2/getMasterchainInfo")).body.result).last?.seqno as number | undefined;

  it("is ready once the first head is proved, and reports it", async () => {
    await expect.poll(async () => (await service.ask("/readyz")).status, patient).toBe(200);
    expect((await service.ask("/readyz")).body).toEqual({
      ready: true,
      stopping: false,
      checks: {
        head: { ok: true, detail: expect.stringMatching(/^masterchain block \d+ is \d+ s old$/) },
        "lite servers": { ok: true, detail: "2 of 2 in use" },
      },
    });
    expect(service.written()).toMatch(/^Tongate serves two\. Ctrl-C stops it\.\n/m);
    expect(service.written()).toContain("  servers  2, from ");
    expect(service.written()).toContain("  proofs   from masterchain block 0, the init block");
    expect(service.written()).toMatch(
      /two: ready with masterchain block \d+, \d+ s old; [12] of 2 lite servers reached\n/,
    );
  });

  it("is followed block by block", async () => {
    const { id } = await net.step();
    await expect.poll(seqnoOf, patient).toBe(id.seqno);
    const { body } = await service.ask("/api/v2/getMasterchainInfo");
    expect(body.result).toMatchObject({ last: { root_hash: hashToBase64(id.rootHash) } });
  });

  it("returns accounts, runs get-methods and accepts messages, all with proofs", async () => {
    const wallet = net.keys.wallets.find((each) => each.wallet.version === "v4r2")?.wallet;
    if (wallet === undefined) throw new Error("there is no such wallet");
    const { body } = await service.ask(`/api/v2/getAddressInformation?address=${wallet.address}`);
    expect(body.result).toMatchObject({ state: "active" });
    const run = { address: wallet.address, method: "seqno", stack: [] };
    const seqno = async () => (await service.ask("/api/v2/runGetMethod", { body: run })).body.result;
    expect(await seqno()).toMatchObject({ exit_code: 0, stack: [["num", "0x0"]] });
    const to = makeAddress(0, "12".repeat(32));
    const transfer = { to, amount: 1_000_000_000n, bounce: false };
    const message = signTransfers(wallet, [transfer], { seqno: 0, now: net.clock.seconds });
    const boc = toBase64(writeBoc(message));
    expect((await service.ask("/api/v2/sendBoc", { body: { boc } })).body).toMatchObject({ ok: true });
    while (net.hasWork) await net.step();
    await expect.poll(seqnoOf, patient).toBe(net.ledger.headId.seqno);
    expect(await seqno()).toMatchObject({ stack: [["num", "0x1"]] });
    expect((await service.ask(`/api/v2/getAddressBalance?address=${to}`)).body.result).not.toBe("0");
  });

  it("keeps answering when one of the servers dies", async () => {
    await servers[0].close();
    const { id } = await net.step();
    await expect.poll(seqnoOf, patient).toBe(id.seqno);
    await expect
      .poll(async () => Object((await service.ask("/readyz")).body.checks)["lite servers"].detail, patient)
      .toBe("1 of 2 in use");
    for (let i = 0; i < 5; i++) expect(await seqnoOf()).toBe(id.seqno);
  });
});
