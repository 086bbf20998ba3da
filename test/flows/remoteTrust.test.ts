import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { writeBoc } from "../../src/cell/boc.ts";
import { parseJson } from "../../src/lib/json.ts";
import type { LiteServer } from "../../src/lite/server/LiteServer.ts";
import { getAccountState } from "../../src/lite/tl/liteQueries.ts";
import { signConfigChange } from "../../src/localnet/network/configChange.ts";
import type { Localnet } from "../../src/localnet/network/Localnet.ts";
import { supportedGlobalVersion } from "../../src/tvm/globalVersion.ts";
import { RemoteStage, type TestService } from "../kit/app/remoteStage.ts";

const patient = { timeout: 300_000, interval: 50 };

const readyOf = (service: TestService) => async () => (await service.ask("/readyz")).status;
const addressOf = (net: Localnet) => net.keys.wallets[0]?.wallet.address ?? "";
const stateOf = async (service: TestService, net: Localnet) =>
  Object((await service.ask(`/api/v2/getAddressInformation?address=${addressOf(net)}`)).body.result).state;

/** A server that changes one byte of each account answer. */
function forger(lite: LiteServer): LiteServer & { readonly reported: () => number } {
  let reported = 0;
  return {
    ask: async (query, options) => {
      const answer = await lite.ask(query, options);
      if (new DataView(query.buffer, query.byteOffset).getUint32(0, true) !== getAccountState.id) return answer;
      reported += 1;
      return answer.with(answer.length - 40, (answer.at(-40) ?? 0) ^ 1);
    },
    close: () => lite.close(),
    destroy: (reason) => lite.destroy(reason),
    reported: () => reported,
  };
}

const { stage, net, server } = await RemoteStage.openServed();

afterAll(() => stage.close());

describe("trust in lite servers", () => {
  it("answers 503 with the reason for each server while no head is proved", async () => {
    const dead = { port: 1, publicKey: server.publicKey };
    const service = await stage.serve(["--network", stage.writeGlobalConfig("dead.json", net, [dead])]);
    const reason = /127\.0\.0\.1:1: /;
    const answer = await service.ask("/api/v2/getMasterchainInfo");
    expect(answer).toMatchObject({
      status: 503,
      body: { ok: false, error: expect.stringMatching(/^dead is not ready: no server could answer: 127\.0\.0\.1:1: /) },
    });
    // The one sentence about the network is the first line, the addresses come last.
    expect(service.written()).toMatch(
      /^dead: 0 of 1 lite servers reached; requests fail until one answers\n {2}page .*\n/,
    );
    expect(await service.ask("/readyz")).toMatchObject({
      status: 503,
      body: {
        ready: false,
        checks: {
          head: { ok: false, detail: expect.stringMatching(reason) },
          "lite servers": { ok: false, detail: expect.stringMatching(reason) },
        },
      },
    });
    expect((await service.ask("/api/v2/healthcheck")).status).toBe(503);
  });

  it("resumes at the last proved key block, and at the init block if that is unreadable", async () => {
    const data = join(stage.folder, "kept");
    const args = ["--data", data, "--network", stage.writeGlobalConfig("kept.json", net, [server])];
    const first = await stage.serve(args);
    await expect.poll(readyOf(first), patient).toBe(200);
    const change = signConfigChange(
      net.keys.owner,
      8,
      { version: 11, capabilities: 1n },
      {
        seqno: 0,
        now: net.clock.seconds,
      },
    );
    await net.submit(writeBoc(change));
    while (net.hasWork) await net.step();
    await net.step();
    const [file = ""] = await expect
      .poll(() => readdirSync(join(data, "trusted")), patient)
      .toHaveLength(1)
      .then(() => readdirSync(join(data, "trusted")));
    await first.close();
    const path = join(data, "trusted", file);
    const kept = Object(parseJson(readFileSync(path, "utf8")));
    expect(net.ledger.getMaster(kept.seqno)).toMatchObject({
      id: { rootHash: kept.rootHash, fileHash: kept.fileHash },
    });
    expect(net.ledger.getMaster(kept.seqno).info.keyBlock).toBe(true);

    const second = await stage.serve(args);
    expect(second.written()).toContain(`  proofs   from masterchain block ${kept.seqno}, stored by an earlier run\n`);
    await expect.poll(readyOf(second), patient).toBe(200);
    await second.close();

    writeFileSync(path, '{"network":');
    const third = await stage.serve(args);
    expect(third.written()).toContain("  proofs   from masterchain block 0, the init block\n");
    expect(third.written()).toContain("  note     the stored trusted block is not used: bad JSON at line 1");
    await expect.poll(readyOf(third), patient).toBe(200);
    expect(Object(parseJson(readFileSync(path, "utf8"))).seqno).toBe(kept.seqno);
  });

  it("does not follow a chain without the init block, unless --trust is on", async () => {
    const path = stage.writeGlobalConfig("other.json", net, [server]);
    const config = JSON.parse(readFileSync(path, "utf8"));
    config.validator.init_block = { ...config.validator.init_block, seqno: 1, root_hash: `${"A".repeat(43)}=` };
    const mutated = stage.write(
      "bent.json",
      JSON.stringify(config).replaceAll("-9223372036854776000", "-9223372036854775808"),
    );
    const doubting = await stage.serve(["--network", mutated]);
    await expect.poll(() => doubting.written(), patient).toContain(" does not prove its head: ");
    expect(await doubting.ask("/api/v2/getMasterchainInfo")).toMatchObject({ status: 503 });
    const trusting = await stage.serve(["--network", mutated, "--trust", "--data", join(stage.folder, "trusting")]);
    expect(trusting.written()).toContain("! --trust: THE HEAD OF BENT IS TRUSTED WITHOUT PROOF.");
    await expect.poll(readyOf(trusting), patient).toBe(200);
    expect(await stateOf(trusting, net)).toBe("active");
    const headers = { "x-tongate-trace": "1" };
    const address = `${trusting.origins[0]}/api/v2/getAddressBalance?address=${addressOf(net)}`;
    expect((await fetch(address, { headers })).headers.get("x-tongate-verified")).toBe("false");
  });

  it("answers from an old head, but is not ready then", async () => {
    const past = await stage.openNet(-3_600_000);
    const path = stage.writeGlobalConfig("past.json", past, [await stage.openServer(past.lite)]);
    const service = await stage.serve(["--network", path, "--max-head-age-ms", "60000"]);
    await expect.poll(() => service.written(), patient).toContain("past: ready with masterchain block ");
    expect((await service.ask("/api/v2/getMasterchainInfo")).status).toBe(200);
    expect(await service.ask("/readyz")).toMatchObject({
      status: 503,
      body: {
        checks: {
          head: {
            ok: false,
            detail: expect.stringMatching(/^masterchain block \d+ is 36\d\d s old; the limit is 60 s$/),
          },
          "lite servers": { ok: true, detail: "1 of 1 in use" },
        },
      },
    });
    const lenient = await stage.serve(["--network", path, "--max-head-age-ms", "7200000"]);
    await expect.poll(readyOf(lenient), patient).toBe(200);
  });

  it("reports a network with newer rules than the engine", async () => {
    const newer = await stage.openNet();
    const rules = { version: supportedGlobalVersion + 1, capabilities: 0n };
    const signed = signConfigChange(newer.keys.owner, 8, rules, { seqno: 0, now: newer.clock.seconds });
    await newer.submit(writeBoc(signed));
    while (newer.hasWork) await newer.step();
    await newer.step();
    const path = stage.writeGlobalConfig("newer.json", newer, [await stage.openServer(newer.lite)]);
    const service = await stage.serve(["--network", path]);
    const page = async () => (await fetch(`${service.origins[0]}/`)).text();
    const { version } = rules;
    const output = `<dt>TVM</dt><dd>the machine supports global version ${version - 1}, the network uses ${version}</dd>`;
    await expect.poll(page, patient).toContain(output);
  });

  it("quarantines a server with bad proofs, and still answers correctly", async () => {
    const lying = forger(net.lite);
    const servers = [await stage.openServer(lying), server];
    const service = await stage.serve(["--network", stage.writeGlobalConfig("liar.json", net, servers)]);
    const inUse = async () => Object((await service.ask("/readyz")).body.checks)["lite servers"]?.detail;
    await expect.poll(inUse, patient).toBe("2 of 2 in use");
    const addresses = net.keys.wallets.map(({ wallet }) => wallet.address);
    // On a busy machine both servers are asked, and what the later one says is not looked at.
    for (let i = 0; (await inUse()) !== "1 of 2 in use"; i++) {
      const { body } = await service.ask(`/api/v2/getAddressBalance?address=${addresses[i % addresses.length]}`);
      expect(body).toMatchObject({ ok: true });
      if (i % addresses.length === 0) await net.step();
    }
    expect(lying.reported()).toBeGreaterThan(0);
    const metrics = await (await fetch(`${service.origins[0]}/metrics`)).text();
    expect(metrics).toContain("tongate_lite_servers_quarantined 1\n");
    expect(metrics).toMatch(/tongate_lite_proof_errors_total [1-9]/);
    expect(await stateOf(service, net)).toBe("active");
  });
});
