import { describe, expect, it } from "vitest";
import { onAbort } from "../../../src/lib/abort.ts";
import { LiteError } from "../../../src/lite/errors.ts";
import { HeadProver } from "../../../src/lite/queries/HeadProver.ts";
import { blockIdToTl } from "../../../src/lite/queries/ids.ts";
import type { TrustedHead } from "../../../src/lite/queries/TrustedChain.ts";
import type { LiteServer } from "../../../src/lite/server/LiteServer.ts";
import { masterchainInfo } from "../../../src/lite/tl/liteRecords.ts";
import { encode } from "../../../src/lite/tl/types.ts";
import { masterchain } from "../../../src/model/block/BlockId.ts";
import { headAt, masterBlock } from "../../kit/lite/FakeLite.ts";
import { flushPromises, ManualClock } from "../../kit/suite/ManualClock.ts";

const info = encode(masterchainInfo.boxed, {
  last: blockIdToTl(masterBlock(9)),
  stateRootHash: new Uint8Array(32),
  init: { workchain: masterchain, rootHash: new Uint8Array(32), fileHash: new Uint8Array(32) },
});

/** One proof in flight, controlled by the test. */
interface Way {
  readonly server: LiteServer;
  readonly done: (head: TrustedHead) => void;
  readonly fail: (reason: Error) => void;
}

function open() {
  const clock = new ManualClock();
  const ways: Way[] = [];
  const reached: LiteServer[] = [];
  const trusted = {
    head: (server: LiteServer, { signal }: { readonly signal: AbortSignal }) =>
      new Promise<TrustedHead>((resolve, reject) => {
        onAbort(signal, reject);
        ways.push({ server, done: resolve, fail: reject });
      }),
  };
  const prover = new HeadProver({ clock, trusted, onReached: (server) => reached.push(server) });
  const server = (): LiteServer => ({ ask: async () => info, close: async () => {}, destroy: () => {} });
  /** The outcome of a fetch as text, once it is known. */
  const fetch = (from: LiteServer, signal = new AbortController().signal) => {
    const seen = { outcome: "open" };
    prover.fetch(from, signal).then(
      ({ block }) => {
        seen.outcome = `block ${block.seqno}`;
      },
      (error: Error) => {
        seen.outcome = error.message;
      },
    );
    return seen;
  };
  return { clock, ways, reached, prover, fetch, servers: [server(), server(), server()] as const };
}

describe("the first proof of a head", () => {
  it("is made with one server for all; afterwards each proves its own", async () => {
    const { ways, reached, fetch, servers } = open();
    const [a, b] = servers;
    const seen = [fetch(a), fetch(b), fetch(a)];
    await flushPromises();
    expect(reached).toEqual([a, b, a]);
    expect(ways.map(({ server }) => server)).toEqual([a]);
    ways[0]?.done(headAt(9));
    await flushPromises();
    expect(ways.map(({ server }) => server)).toEqual([a, b]);
    ways[1]?.done(headAt(10));
    await flushPromises();
    expect(seen.map(({ outcome }) => outcome)).toEqual(["block 9", "block 10", "block 9"]);
  });

  it("continues when its waiting callers have left", async () => {
    const { ways, fetch, servers } = open();
    const [a] = servers;
    const leaving = new AbortController();
    const seen = fetch(a, leaving.signal);
    await flushPromises();
    leaving.abort(new LiteError("lite/timeout", "left"));
    await flushPromises();
    expect(seen.outcome).toBe("left");
    const again = fetch(a);
    await flushPromises();
    expect(ways).toHaveLength(1);
    ways[0]?.done(headAt(9));
    await flushPromises();
    expect(again.outcome).toBe("block 9");
  });

  it("is continued by another server, which is not blamed for the first one's proof error", async () => {
    const { ways, fetch, servers } = open();
    const [a, b, c] = servers;
    const seen = [fetch(a), fetch(b), fetch(c)];
    await flushPromises();
    ways[0]?.fail(new LiteError("lite/proof", "a lie"));
    await flushPromises();
    expect(ways.map(({ server }) => server)).toEqual([a, b]);
    ways[1]?.done(headAt(9));
    await flushPromises();
    ways[2]?.done(headAt(9));
    await flushPromises();
    expect(seen.map(({ outcome }) => outcome)).toEqual(["a lie", "block 9", "block 9"]);
  });

  it("changes the server after ten seconds without progress, and only then", async () => {
    const { clock, ways, prover, fetch, servers } = open();
    const [a, b] = servers;
    const seen = [fetch(a), fetch(b)];
    await clock.advance(9_000);
    prover.noteProgress();
    await clock.advance(9_000);
    expect(ways).toHaveLength(1);
    await clock.advance(1_000);
    expect(seen[0]?.outcome).toBe("made no progress towards its head within 10000 ms");
    expect(ways.map(({ server }) => server)).toEqual([a, b]);
    ways[1]?.done(headAt(9));
    await flushPromises();
    expect([seen[1]?.outcome, clock.waiting]).toEqual(["block 9", 0]);
  });

  it("ends when the network is closed", async () => {
    const { clock, prover, fetch, servers } = open();
    const seen = fetch(servers[0]);
    await flushPromises();
    prover.close();
    await flushPromises();
    expect([seen.outcome, clock.waiting]).toEqual(["the network is closed", 0]);
  });
});
