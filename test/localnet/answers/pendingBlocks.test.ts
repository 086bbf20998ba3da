import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { systemClock } from "../../../src/lib/clock.ts";
import { systemRandom } from "../../../src/lib/random.ts";
import { AdnlServer } from "../../../src/lite/adnl/AdnlServer.ts";
import { fetchAccount } from "../../../src/lite/queries/accounts.ts";
import { fetchBlock } from "../../../src/lite/queries/blocks.ts";
import { blockIdFromTl } from "../../../src/lite/queries/ids.ts";
import { fetchPendingShardBlocks } from "../../../src/lite/queries/pendingBlocks.ts";
import { LiteConnection } from "../../../src/lite/server/LiteConnection.ts";
import { ask } from "../../../src/lite/server/LiteServer.ts";
import { serveLite } from "../../../src/lite/server/serveLite.ts";
import { getNonfinalPendingShardBlocks } from "../../../src/lite/tl/liteQueries.ts";
import { ChainView } from "../../../src/localnet/ledger/ChainView.ts";
import { LocalLiteServer } from "../../../src/localnet/network/LocalLiteServer.ts";
import { shardHolds, signedShard } from "../../../src/model/block/BlockId.ts";
import { prevBlockIds } from "../../../src/model/block/BlockInfo.ts";
import { type HeldMasters, holdMasters } from "../../kit/localnet/heldMasters.ts";
import { type ChainKit, openChainKit, type TestChain } from "../../kit/localnet/localChain.ts";

const options = { signal: new AbortController().signal };

describe("shard blocks before their masterchain block", () => {
  let kit: ChainKit;
  let chain: TestChain;
  let machine: HeldMasters;
  let server: AdnlServer;
  let connection: LiteConnection;

  beforeAll(async () => {
    kit = await openChainKit();
    machine = holdMasters(kit.executor);
    chain = await kit.open({ shards: 2 }, machine);
    const modules = { clock: systemClock, random: systemRandom, handler: serveLite(chain.net.lite, systemClock) };
    server = await AdnlServer.open({ host: "127.0.0.1", port: 0, seeds: [systemRandom.bytes(32)] }, modules);
    const publicKey = server.publicKeys[0] ?? new Uint8Array();
    connection = new LiteConnection({ host: "127.0.0.1", port: server.port, publicKey }, modules);
  });

  // A round of a failed test must not hold the others.
  afterEach(() => machine.release());
  afterAll(async () => {
    await connection.close();
    await server.close();
    await kit.close();
  });

  const pending = () => fetchPendingShardBlocks(connection, options);

  /** Makes a round until its shard blocks are signed. */
  async function beginRound() {
    machine.hold();
    const round = chain.net.step();
    // The test looks at the round when it ends.
    round.catch(() => {});
    await vi.waitUntil(() => chain.net.ledger.pending.list().length > 0, { timeout: 300_000 });
    // In an object: otherwise the caller would wait for the round.
    return { round };
  }

  it("are reported while their round is under way, one of each shard above its top, and become those of the block", async () => {
    expect(await pending()).toEqual([]);
    const tops = new ChainView(chain.net.ledger).topIds();
    const { round } = await beginRound();
    const signed = await pending();
    const blocks = await Promise.all(signed.map((id) => fetchBlock(connection, id, options)));
    expect(blocks.flatMap(({ info }) => prevBlockIds(info))).toEqual(tops);
    machine.release();
    await round;
    expect(new ChainView(chain.net.ledger).topIds()).toEqual(signed);
    expect(await pending()).toEqual([]);
  });

  it("are asked for by shard, and have states", async () => {
    const { round } = await beginRound();
    const [first, second] = await pending();
    if (first === undefined || second === undefined) throw new Error("two shards expected");
    const ofShard = async (wc: number) => {
      const args = { mode: 1, wc, shard: signedShard(second.shard) };
      return (await ask(connection, getNonfinalPendingShardBlocks, args, options)).signedBlocks.map(blockIdFromTl);
    };
    expect(await ofShard(0)).toEqual([second]);
    expect(await ofShard(1)).toEqual([]);
    const { address } = chain.wallet(0);
    const own = shardHolds(first, address) ? first : second;
    const { entry } = await fetchAccount(connection, own, address, options);
    expect(entry?.cell.hash()).toBe(chain.net.account(address).account.cell.hash());
    machine.release();
    await round;
  });

  it("are gone when their round fails, and the next round has others", async () => {
    const { round } = await beginRound();
    const lost = await pending();
    machine.release(new Error("failed"));
    await expect(round).rejects.toThrow("failed");
    expect(await pending()).toEqual([]);
    await expect(fetchBlock(connection, lost[0] ?? chain.net.ledger.headId, options)).rejects.toThrow(
      "block handle not in db",
    );
    chain.net.advanceTime(5);
    await chain.net.step();
    expect(new ChainView(chain.net.ledger).topIds().map(({ seqno }) => seqno)).toEqual(lost.map(({ seqno }) => seqno));
    expect(new ChainView(chain.net.ledger).topIds()).not.toEqual(lost);
  });

  it("are not reported by a server that is not told to", async () => {
    const closed = new LocalLiteServer({ ledger: chain.net.ledger });
    await expect(fetchPendingShardBlocks(closed, options)).rejects.toMatchObject({
      code: "lite/server",
      data: { serverCode: 0, serverMessage: "query is not allowed" },
    });
  });
});
