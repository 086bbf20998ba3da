import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { systemFiles } from "../../src/lib/files/FileSystem.ts";
import { usualSeed } from "../../src/localnet/genesis/usualWallets.ts";
import { Faucet } from "../../src/localnet/network/faucet.ts";
import { Localnet } from "../../src/localnet/network/Localnet.ts";
import { signOffered } from "../../src/localnet/offer/signOffered.ts";
import { checkArchive } from "../../src/localnet/store/chainArchive.ts";
import { inspectChain } from "../../src/localnet/store/inspectChain.ts";
import { SnapshotFolder } from "../../src/localnet/store/SnapshotFolder.ts";
import { deriveKeys } from "../../src/localnet/wallets/networkKeys.ts";
import { makeAddress } from "../../src/model/Address.ts";
import { failingFiles } from "../kit/localnet/failingFiles.ts";
import { type ChainKit, openChainKit, recordLog, TestChain } from "../kit/localnet/localChain.ts";
import { testSeed } from "../kit/localnet/testKeys.ts";
import { ManualClock } from "../kit/suite/ManualClock.ts";

let kit: ChainKit;
let place: string;
let template: string;
let folder: string;
/** The newest block of the template. */
const headSeqno = 8;

beforeAll(async () => {
  kit = await openChainKit();
  place = mkdtempSync(join(tmpdir(), "tongate-chain-store-"));
  template = join(place, "template");
  const chain = await kit.open({ folder: template });
  await chain.rounds(6);
  expect(chain.net.ledger.headId.seqno).toBe(headSeqno);
  await chain.net.close();
});
afterAll(async () => {
  await kit.close();
  rmSync(place, { recursive: true, force: true });
});
beforeEach(() => {
  folder = join(mkdtempSync(join(place, "case-")), "localnet");
  cpSync(template, folder, { recursive: true });
});

const to = makeAddress(0, "a".repeat(64));
const logOf = (path: string) => join(path, "blocks.log");

/** The positions of all records, and the end. */
function recordsOf(bytes: Buffer): readonly number[] {
  const positions = [0];
  for (let at = 0; at < bytes.length; positions.push(at)) at += 8 + bytes.readUInt32LE(at);
  return positions;
}

function filesOf(path: string): readonly string[] {
  return readdirSync(path, { recursive: true }).map(String).sort();
}

describe("a block log without published blocks", () => {
  const cuts: readonly (readonly [string, (bytes: Buffer) => number | undefined])[] = [
    ["shortened by the last block", (bytes) => recordsOf(bytes).at(-2)],
    ["shortened within the last block", (bytes) => bytes.length - 10],
    ["shortened within an earlier block", (bytes) => (recordsOf(bytes)[4] ?? 0) + 100],
    ["emptied", () => 0],
    ["removed", () => undefined],
  ];
  const proofs: readonly (readonly [string, string])[] = [
    ["states", "head"],
    ["head", "states"],
  ];

  it.each(cuts.flatMap(([how, end]) => proofs.map(([by, without]) => [how, by, without, end] as const)))(
    "is refused if it was %s, as the %s prove; nothing is deleted before the choice",
    async (_how, _by, without, end) => {
      rmSync(join(folder, without), { recursive: true });
      const length = end(readFileSync(logOf(folder)));
      if (length === undefined) rmSync(logOf(folder));
      else truncateSync(logOf(folder), length);
      const before = filesOf(folder);
      const left = length === undefined ? undefined : readFileSync(logOf(folder));
      for (let i = 0; i < 2; i++) {
        await expect(kit.open({ folder })).rejects.toMatchObject({
          code: "localnet/data",
          message: expect.stringMatching(/although block 8 was published.*snapshot.*--repair/),
        });
        expect(filesOf(folder)).toEqual(before);
        if (left !== undefined) expect(readFileSync(logOf(folder))).toEqual(left);
      }
      expect((await inspectChain(folder, systemFiles)).problem).toContain("although block 8 was published");
      let givenUp = 0;
      const repaired = await kit.open({ folder, repair: true, onGiveUp: () => givenUp++ });
      expect(givenUp).toBe(1);
      await repaired.rounds(1);
      await repaired.net.close();
      await (await kit.open({ folder })).net.close();
    },
  );

  it("is refused if the description of the chain went with it", async () => {
    rmSync(logOf(folder));
    rmSync(join(folder, "chain.json"));
    await expect(kit.open({ folder })).rejects.toMatchObject({ code: "localnet/data" });
  });
});

describe("a block log that two processes have written", () => {
  /** The records of another process that went on from an earlier block, with other blocks. */
  async function otherRecords(from: number): Promise<Buffer> {
    const other = join(mkdtempSync(join(place, "other-")), "localnet");
    cpSync(template, other, { recursive: true });
    for (const name of ["states", "head"]) rmSync(join(other, name), { recursive: true });
    const start = recordsOf(readFileSync(logOf(other)))[from] ?? 0;
    truncateSync(logOf(other), start);
    const chain = await kit.open({ folder: other });
    await chain.send(chain.wallet(0), { to, amount: 1_000n });
    await chain.rounds(4);
    await chain.net.close();
    return readFileSync(logOf(other)).subarray(start);
  }

  it.each([true, false])(
    "is refused at the next start, and repaired up to the last common block (states: %s)",
    async (hasStates) => {
      const bytes = readFileSync(logOf(folder));
      const end = recordsOf(bytes)[6] ?? 0;
      for (const name of hasStates ? ["head"] : ["states", "head"]) rmSync(join(folder, name), { recursive: true });
      // Block 6 is there, and another block 5 follows; or another block 7, which does not follow from it.
      for (const from of [4, 5]) {
        const theirs = await otherRecords(from);
        const skip = from === 4 ? 0 : (recordsOf(theirs)[1] ?? 0);
        writeFileSync(logOf(folder), Buffer.concat([bytes.subarray(0, end), theirs.subarray(skip)]));
        await expect(kit.open({ folder })).rejects.toMatchObject({
          code: "localnet/data",
          message: expect.stringContaining("two processes may have written the file"),
        });
      }
      const repaired = await kit.open({ folder, repair: true });
      expect(repaired.net.ledger.headId.seqno).toBe(6);
      await repaired.rounds(1);
      await repaired.net.close();
    },
  );
});

describe("the description of a chain", () => {
  const header = () => join(folder, "chain.json");

  it("is refused with a changed letter in a secret or the global id", async () => {
    const text = readFileSync(header(), "utf8");
    for (const [from, into] of [
      [/"wallets": \[\s+"(.)/, (all: string) => all.replace(/.$/, (last) => (last === "a" ? "b" : "a"))],
      [/"globalId": -?\d+/, (all: string) => `${all}1`],
    ] as const) {
      const changed = text.replace(from, into);
      expect(changed).not.toBe(text);
      writeFileSync(header(), changed);
      await expect(kit.open({ folder })).rejects.toMatchObject({
        code: "localnet/data",
        message: expect.stringContaining("changed after it was written"),
      });
    }
  });

  it("gets a checksum if an earlier version has written it, unless its secrets do not follow from the seed", async () => {
    folder = join(place, "usual");
    // The wallets of this seed need not be derived, which takes seconds.
    const usual = { folder, seed: usualSeed, keys: await deriveKeys(usualSeed) };
    await (await kit.open(usual)).net.close();
    const { checksum, walletNetworkId, hasValidatorAddress, ...former } = JSON.parse(readFileSync(header(), "utf8"));
    const text = JSON.stringify({ ...former, format: "tongate-chain/2" });
    const [first = ""] = former.wallets;
    writeFileSync(header(), text.replace(first, `${first.startsWith("a") ? "b" : "a"}${first.slice(1)}`));
    await expect(kit.open(usual)).rejects.toMatchObject({
      message: expect.stringContaining("damaged secret of wallet 1"),
    });
    writeFileSync(header(), text);
    await (await kit.open(usual)).net.close();
    expect(JSON.parse(readFileSync(header(), "utf8"))).toMatchObject({ format: "tongate-chain/3", checksum });
  });
});

describe("a disk that cannot be written", () => {
  async function openFailing() {
    const files = failingFiles();
    const clock = new ManualClock();
    const log = recordLog();
    const options = { seed: testSeed, pace: { kind: "manual" as const }, keys: kit.keys, folder };
    const net = await Localnet.open(options, { clock, executor: kit.executor, log, files });
    return { files, chain: new TestChain(net, clock, log) };
  }

  it.each(["ENOSPC", "EIO"])(
    "is not blamed on messages: %s keeps all of them for the first block after it",
    async (reason) => {
      const { files, chain } = await openFailing();
      for (let i = 0; i < 8; i++) await chain.send(chain.wallet(i), { to, amount: 1_000n });
      files.reason = reason;
      const failure = { code: "lib/storage", data: { reason, path: logOf(folder) } };
      for (let i = 0; i < 6; i++) await expect(chain.net.step()).rejects.toMatchObject(failure);
      expect(chain.net.pending).toBe(8);
      await expect(chain.send(chain.wallet(8), { to, amount: 1n })).rejects.toMatchObject({ code: "lib/storage" });
      const faucet = new Faucet({}, { net: chain.net });
      await expect(faucet.post(to, 1n)).rejects.toMatchObject({ code: "lib/storage" });
      await expect(faucet.give(to, 1n)).rejects.toMatchObject({ code: "lib/storage" });
      files.reason = undefined;
      await chain.rounds(1);
      expect(chain.net.pending).toBe(0);
      await chain.rounds(2);
      expect(chain.balance(to)).toBe(8_000n);
      const gift = faucet.post(to, 1_000n);
      await chain.clock.advance(0);
      await gift;
      await chain.rounds(3);
      // Minus one nanocoin of storage fees.
      expect(chain.balance(to)).toBe(8_999n);
      faucet.close();
      await chain.net.close();
      expect((await inspectChain(folder, systemFiles)).problem).toBeUndefined();
    },
  );

  it("is named with its path at a start", async () => {
    const files = failingFiles();
    files.reason = "ENOSPC";
    const fresh = join(place, "fresh");
    const options = { seed: testSeed, pace: { kind: "manual" as const }, keys: kit.keys, folder: fresh };
    const modules = { clock: new ManualClock(), executor: kit.executor, log: recordLog(), files };
    await expect(Localnet.open(options, modules)).rejects.toMatchObject({
      code: "lib/storage",
      message: `cannot write ${join(fresh, "chain.json.new")}: the disk is full: free space on it (ENOSPC)`,
    });
    expect(existsSync(join(fresh, "chain.json.new"))).toBe(false);
  });
});

describe("a clock that is set back by an hour", () => {
  it("leaves the faucet and signed transfers working, and the chain says that it is ahead", async () => {
    let setBackMs = 0;
    class SetClock extends ManualClock {
      override now(): number {
        return super.now() - setBackMs;
      }
    }
    const clock = new SetClock();
    const options = { seed: testSeed, pace: { kind: "manual" as const }, keys: kit.keys };
    const net = await Localnet.open(options, { clock, executor: kit.executor, log: recordLog() });
    const chain = new TestChain(net, clock, recordLog());
    await chain.rounds(1);
    setBackMs = 3_600_000;
    const faucet = new Faucet({}, { net });
    await chain.clock.advance(0);
    const gift = await faucet.post(to, 1_000n);
    await chain.rounds(3);
    await gift.sent;
    expect(chain.balance(to)).toBe(1_000n);
    const from = chain.wallet(3).address;
    await chain.submit(
      signOffered(net, {
        from,
        to,
        amount: 500n,
        comment: undefined,
        body: undefined,
        bounce: false,
        validForSeconds: 60,
      }).message,
    );
    await chain.rounds(3);
    expect(chain.balance(to)).toBeGreaterThanOrEqual(1_499n);
    expect(net.clock.aheadSeconds).toBe(3_600);
    expect(net.clock.seconds).toBeGreaterThanOrEqual(net.ledger.head?.info.genUtime ?? 0);
    faucet.close();
    await net.close();
  });
});

describe("a snapshot", () => {
  async function makeSnapshots() {
    const kept = `${folder}-snapshots`;
    const log = recordLog();
    const snapshots = new SnapshotFolder(kept, { files: systemFiles, log });
    const chain = await kit.open({ folder });
    for (const name of ["one", "two"])
      await snapshots.make(name, { seqno: headSeqno, chainTime: 1, madeAt: 1 }, (path) => chain.net.archive(path));
    await chain.net.close();
    return { snapshots, log, archive: join(kept, "one.chain"), description: join(kept, "one.json") };
  }

  it("that was not finished is removed, and nothing else", async () => {
    const { snapshots, log } = await makeSnapshots();
    const kept = `${folder}-snapshots`;
    const before = filesOf(kept);
    const unfinished = ["one.chain.new", "three.json.new", "three.chain.new", "genesis.tmp", "genesis.tmp.new"];
    for (const name of unfinished) writeFileSync(join(kept, name), "half of it");
    snapshots.removeUnfinished();
    expect(filesOf(kept)).toEqual(before);
    const removed = log.lines.filter((line) => line.includes("was not finished"));
    expect(removed).toHaveLength(unfinished.length);
    expect(snapshots.list().map(({ name }) => name)).toEqual(["one", "two"]);
  });

  it("that was cut or changed is refused before anything moves", async () => {
    const { snapshots, archive } = await makeSnapshots();
    const whole = readFileSync(archive);
    const before = filesOf(folder);
    const damages = [0, 10, 200, Math.floor(whole.length * 0.6), whole.length - 33, whole.length - 1];
    for (const at of damages) {
      writeFileSync(archive, whole.subarray(0, at));
      await expect(snapshots.prepare("one", folder)).rejects.toMatchObject({
        code: expect.stringMatching(/^localnet/),
      });
      const changed = Buffer.from(whole);
      changed.writeUInt8((changed[at] ?? 0) ^ 1, at);
      writeFileSync(archive, changed);
      await expect(snapshots.prepare("one", folder)).rejects.toMatchObject({
        code: expect.stringMatching(/^localnet/),
      });
    }
    expect(filesOf(folder)).toEqual(before);
    writeFileSync(archive, whole);
    expect((await snapshots.prepare("one", folder)).seqno).toBe(headSeqno);
  });

  it("of an earlier version, without checksum, is accepted with a warning only if it is whole", async () => {
    const { snapshots, log, archive } = await makeSnapshots();
    const whole = readFileSync(archive);
    const { blocksAt, blocksLength } = await checkArchive(archive, systemFiles);
    const former = Buffer.concat([
      Buffer.from("tongate-chain-archive/1\n"),
      whole.subarray(24, 28),
      whole.subarray(36, blocksAt + blocksLength),
    ]);
    writeFileSync(archive, former);
    expect((await snapshots.prepare("one", folder)).seqno).toBe(headSeqno);
    expect(log.lines.join()).toContain("has no checksum");
    const records = recordsOf(former.subarray(blocksAt - 8));
    for (const end of [Math.floor(former.length * 0.6), former.length - 1, blocksAt - 8 + (records[5] ?? 0)]) {
      writeFileSync(archive, former.subarray(0, end));
      await expect(snapshots.prepare("one", folder)).rejects.toMatchObject({ code: "localnet/snapshot" });
    }
  });

  it("with a damaged description does not hide the others, and can be restored and deleted", async () => {
    const { snapshots, log, description } = await makeSnapshots();
    writeFileSync(description, "{ nonsense");
    expect(snapshots.list().map(({ name }) => name)).toEqual(["two"]);
    expect(log.lines.join()).toContain("the description of snapshot one cannot be read");
    expect((await snapshots.prepare("one", folder)).seqno).toBe(headSeqno);
    snapshots.delete("one");
    expect(existsSync(description)).toBe(false);
  });
});

describe("the files of a chain", () => {
  it("are readable only by their owner, also those of an earlier version", async () => {
    const modes = () =>
      Object.fromEntries(
        ["", "chain.json", "blocks.log", "states", "head"].map((name) => [
          name,
          statSync(join(folder, name)).mode & 0o777,
        ]),
      );
    const wanted = { "": 0o700, "chain.json": 0o600, "blocks.log": 0o600, states: 0o700, head: 0o600 };
    expect(modes()).toEqual(wanted);
    const { chmodSync } = await import("node:fs");
    for (const name of Object.keys(wanted))
      chmodSync(join(folder, name), name === "" || name === "states" ? 0o755 : 0o644);
    await (await kit.open({ folder })).net.close();
    expect(modes()).toEqual(wanted);
  });
});
