import { mkdirSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { runDoctor } from "../../../src/app/commands/doctor.ts";
import { systemSources } from "../../../src/app/config.ts";
import { isCoded } from "../../../src/lib/errors.ts";
import type { LiteServer } from "../../../src/lite/server/LiteServer.ts";
import { getMasterchainInfo } from "../../../src/lite/tl/liteQueries.ts";
import { encodeQuery } from "../../../src/lite/tl/queryEnvelope.ts";
import { lockFolder } from "../../../src/localnet/store/folderLock.ts";
import { RemoteStage } from "../../kit/app/remoteStage.ts";
import { openChainKit } from "../../kit/localnet/localChain.ts";
import { recordTerminal } from "../../kit/suite/recordTerminal.ts";

/** The same server with a frozen newest block. */
async function frozen(lite: LiteServer): Promise<LiteServer> {
  const query = encodeQuery(getMasterchainInfo, {});
  const answer = await lite.ask(query, { signal: new AbortController().signal });
  return {
    ask: async (asked, options) => (Buffer.compare(asked, query) === 0 ? answer : lite.ask(asked, options)),
    close: () => lite.close(),
    destroy: (reason) => lite.destroy(reason),
  };
}

const { stage, net, server } = await RemoteStage.openServed();

const kit = await openChainKit();

afterAll(async () => {
  await kit.close();
  await stage.close();
});

describe("the doctor", () => {
  /** The printed lines and the exit code. */
  async function examine(...args: string[]) {
    const terminal = recordTerminal();
    const data = args.includes("--data") ? [] : ["--data", join(stage.folder, "data")];
    const sources = { environment: {}, findFile: systemSources.findFile };
    const ended = await runDoctor(terminal, [...data, "--max-head-age-ms", "86400000", ...args], sources).then(
      () => "all well",
      (error: unknown) => (isCoded(error) ? `${error.code}: ${error.message}` : Promise.reject(error)),
    );
    const [verdict = "", gap = "", ...lines] = terminal.written().trimEnd().split("\n");
    expect(gap).toBe("");
    const general = (line: string) =>
      line
        .replaceAll(stage.folder, "TMP")
        .replace(/[\d.]+ GiB/, "N GiB")
        .replace(/open files: \w+, of which \w+/, "open files: N, of which N");
    return { ended, verdict: general(verdict), lines: lines.map(general) };
  }

  const head = () => net.ledger.headId.seqno;

  it("finds nothing wrong with a local network that does not exist yet", async () => {
    expect(await examine()).toEqual({
      ended: "all well",
      verdict: "All is well: 9 checks found no problem.",
      lines: [
        "ok       configuration: localnet on 127.0.0.1:8081, run by this program",
        "ok       data folder: TMP/data does not exist yet and can be created",
        "ok       disk: N GiB free",
        "ok       keys: 0 valid, 0 revoked",
        "ok       local chain: TMP/data/localnet is created at the first start",
        "ok       open files: N, of which N are for HTTP connections",
        "ok       memory: 64 MB for cached cells of localnet: 32 for the index, " +
          "21 for blocks and states, 5 for proofs, 5 for live answers",
        "ok       lite servers: not needed for the local network",
        "ok       tvm: the machine supports global version 15, which the local network uses",
      ],
    });
  });

  it("reports the process that uses the local chain", async () => {
    const data = join(stage.folder, "used");
    mkdirSync(join(data, "localnet"), { recursive: true, mode: 0o700 });
    const lock = await lockFolder(join(data, "localnet"));
    const { ended, lines } = await examine("--data", data);
    lock.release();
    expect(ended).toBe("all well");
    expect(lines[1]).toBe("ok       data folder: TMP/used is writable");
    expect(lines[4]).toBe(
      `note     local chain: TMP/used/localnet is in use by process ${process.pid}; only one process can use it`,
    );
  });

  const putBack =
    "         fix: restore a copy of the file, or a snapshot with tongate localnet --restore FILE and a new --data";

  it.each([
    ["a damaged header", "chain.json", "{", /^problem {2}local chain: .*chain.json does not describe a chain: /],
    ["blocks without a header", "blocks.log", "", /has blocks.log but no chain.json that describes their chain$/],
    ["a head without a header", "head", "", /has head but no chain.json that describes their chain$/],
  ])(
    "finds what a start of the local chain refuses, and offers no repair that would not help: %s",
    async (what, name, text, problem) => {
      const data = join(stage.folder, what);
      mkdirSync(join(data, "localnet"), { recursive: true, mode: 0o700 });
      writeFileSync(join(data, "localnet", name), text);
      const { ended, lines } = await examine("--data", data);
      expect(ended).toBe("app/problems: 1 problem found");
      expect(lines.slice(4, 6)).toEqual([expect.stringMatching(problem), putBack]);
      await expect(kit.open({ folder: join(data, "localnet"), repair: true })).rejects.toMatchObject({
        code: "localnet/data",
      });
    },
  );

  it("leaves files of two chains to the start that completes their restore", async () => {
    const data = join(stage.folder, "restoring");
    mkdirSync(join(data, "localnet"), { recursive: true, mode: 0o700 });
    for (const name of ["restore.json", "blocks.log"]) writeFileSync(join(data, "localnet", name), "");
    const { ended, lines } = await examine("--data", data);
    expect(ended).toBe("all well");
    expect(lines[4]).toBe(
      "note     local chain: the restore of a snapshot was interrupted; the next start completes it",
    );
  });

  it("finds a local chain with damaged blocks, and says how to go on", async () => {
    const folder = join(stage.folder, "damaged", "localnet");
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const chain = await kit.open({ folder });
    await chain.rounds(2);
    await chain.net.close();
    truncateSync(join(folder, "blocks.log"), 700);
    const { ended, lines } = await examine("--data", join(stage.folder, "damaged"));
    expect(ended).toBe("app/problems: 1 problem found");
    expect(lines[4]).toMatch(/^problem {2}local chain: .* blocks are missing$/);
    expect(lines[5]).toBe(`${putBack}; tongate localnet --repair continues without the damaged and missing blocks`);
  });

  it("finds nothing wrong with a healthy network", async () => {
    const path = stage.writeGlobalConfig("well.json", net, [server]);
    expect(await examine("--network", path)).toEqual({
      ended: "all well",
      verdict: "All is well: 12 checks found no problem.",
      lines: [
        "ok       configuration: well on 127.0.0.1:8081, 1 lite server from TMP/well.json",
        "ok       data folder: TMP/data does not exist yet and can be created",
        "ok       disk: N GiB free",
        "ok       keys: 0 valid, 0 revoked",
        "ok       trusted block: none stored yet",
        "ok       open files: N, of which N are for HTTP connections",
        "ok       memory: 192 MB for cached cells of well: 96 for the index, 16 for live answers",
        `ok       lite server 127.0.0.1:${server.port}: reached, key matches, block ${head()}, 0 s behind the newest, history from block 1`,
        "ok       clock (well): agrees with 1 lite server within 5 s",
        expect.stringMatching(new RegExp(`^ok {7}head \\(well\\): masterchain block ${head()} is \\d+ s old$`)),
        "ok       proofs (well): 1 of 1 heads proved from block 0",
        expect.stringMatching(/^ok {7}tvm \(well\): the machine supports global version 15, the network uses \d+$/),
      ],
    });
  });

  it("distinguishes a wrong key from a dead port, with a fix for each", async () => {
    const wrongKey = { port: server.port, publicKey: new Uint8Array(32).fill(1) };
    const other = await stage.openServer(net.lite);
    await other.close();
    const path = stage.writeGlobalConfig("broken.json", net, [wrongKey, other]);
    const { ended, verdict, lines } = await examine("--network", path);
    expect(ended).toBe("app/problems: 2 problems found");
    expect(verdict).toBe("0 of 2 lite servers reached: is this machine online?");
    expect(lines.slice(7)).toEqual([
      `problem  lite server 127.0.0.1:${server.port}: connected, but the handshake with key AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE= failed`,
      "         fix: use the key from the server's own configuration; if this happens with all servers, a firewall or proxy closes the connections",
      expect.stringMatching(new RegExp(`^problem {2}lite server 127.0.0.1:${other.port}: not reached: .*ECONNREFUSED`)),
      "         fix: check that it runs, that address and port are right, and that no firewall blocks it",
      "note     clock (broken): not compared: no lite server was reached",
      "note     proofs (broken): not checked: no lite server was reached",
    ]);
  });

  it("finds a server of another network, and one that is behind", async () => {
    const slow = await stage.openNet(-60_000);
    const servers = [await stage.openServer(await frozen(slow.lite)), await stage.openServer(slow.lite), server];
    slow.advanceTime(60);
    await slow.step();
    const { ended, lines } = await examine("--network", stage.writeGlobalConfig("slow.json", slow, servers));
    expect(ended).toBe("app/problems: 2 problems found");
    expect(lines.filter((line) => /^problem|fix/.test(line))).toEqual([
      expect.stringMatching(
        /^problem {2}lite server \S+: reached, key matches, block \d+, [6-9]\d s behind the newest, history from block 1$/,
      ),
      "         fix: it is used last while it is behind; check its node",
      `problem  lite server 127.0.0.1:${server.port}: belongs to another network`,
      "         fix: remove it, or give the global config of its network",
    ]);
  });

  it("finds a stale head and a wrong clock", async () => {
    const past = await stage.openNet(-3_600_000);
    const pastServer = await stage.openServer(past.lite);
    const { ended, lines } = await examine(
      "--network",
      stage.writeGlobalConfig("past.json", past, [pastServer]),
      "--max-head-age-ms",
      "60000",
    );
    expect(ended).toBe("app/problems: 2 problems found");
    expect(lines.filter((line) => /^problem|fix/.test(line))).toEqual([
      expect.stringMatching(/^problem {2}clock \(past\): (3599|3600) s ahead of the lite servers$/),
      "         fix: set the clock of this machine, for example with NTP",
      expect.stringMatching(/^problem {2}head \(past\): masterchain block \d+ is 36\d\d s old; the limit is 60 s$/),
      "         fix: the network makes no blocks, or all its lite servers are behind; give others with --global-config",
    ]);
  });

  it("finds a folder that cannot be created, and unreadable files", async () => {
    const file = stage.write("file", "");
    const { ended, lines } = await examine("--data", join(file, "data"));
    expect(ended).toBe("app/problems: 1 problem found");
    expect(lines.slice(1, 3)).toEqual([
      "problem  data folder: cannot create TMP/file/data: TMP/file is not a folder",
      "         fix: give another folder with --data, or let this user write there",
    ]);
    const data = join(stage.folder, "bent");
    const trusted = `${net.ledger.zero.id.rootHash.slice(0, 16)}.json`;
    mkdirSync(join(data, "trusted"), { recursive: true });
    writeFileSync(join(data, "trusted", trusted), "[]");
    writeFileSync(join(data, "keys.jsonl"), "nonsense\n");
    const found = await examine("--data", data, "--network", stage.writeGlobalConfig("bent.json", net, [server]));
    expect(found.ended).toBe("app/problems: 2 problems found");
    expect(found.lines.filter((line) => /^problem|fix/.test(line))).toEqual([
      "problem  keys: the key file has damaged lines: 1",
      "         fix: correct or delete these lines; the server refuses the keys they name",
      `problem  trusted block: TMP/bent/trusted/${trusted}: argument "network" is missing; give a hash in hex`,
      "         fix: delete the file; a start creates it again",
    ]);
  });

  it("finds an invalid configuration", async () => {
    expect(await examine("--network", "nowhere")).toEqual({
      ended: "app/problems: 1 problem found",
      verdict:
        '1 problem: configuration: --network cannot be "nowhere"; give one of localnet, mainnet, testnet, or a global config file',
      lines: [
        'problem  configuration: --network cannot be "nowhere"; give one of localnet, mainnet, testnet, or a global config file',
        '         fix: "tongate config" prints the settings in effect',
      ],
    });
    expect((await examine("now")).ended).toBe('app/usage: doctor takes no arguments, not "now"');
  });
});
