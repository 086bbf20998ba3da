import { withDeadline } from "../../../src/lib/deadline.ts";
import { systemRandom } from "../../../src/lib/random.ts";
import { AdnlServer } from "../../../src/lite/adnl/AdnlServer.ts";
import { makeAdnlKey } from "../../../src/lite/adnl/keys.ts";
import { LiteError } from "../../../src/lite/errors.ts";
import type { ServerHead } from "../../../src/lite/pool/health.ts";
import { LitePool, type LitePoolOptions, pooledConnection } from "../../../src/lite/pool/LitePool.ts";
import { blockIdToTl } from "../../../src/lite/queries/ids.ts";
import { LiteConnection } from "../../../src/lite/server/LiteConnection.ts";
import { serveLite } from "../../../src/lite/server/serveLite.ts";
import { getConfigAll } from "../../../src/lite/tl/liteQueries.ts";
import { encodeQuery } from "../../../src/lite/tl/queryEnvelope.ts";
import { flushPromises, ManualClock } from "../suite/ManualClock.ts";
import { Wire } from "../suite/Wire.ts";
import { claimedHead, FakeLite, masterBlock, timeAnswer } from "./FakeLite.ts";

const over = new LiteError("lite/closed", "the test is over");
const maxPayload = 64 * 1_024;
const stepMs = 25;
/** Loopback delivers bytes within a turn of the event loop; a handshake through a `Wire` takes about ten turns. */
const turns = 60;

/** One server of the stage: a fake that speaks real ADNL, behind a `Wire`. */
export interface Actor {
  readonly name: string;
  readonly fake: FakeLite;
  readonly wire: Wire;
  /** The port of the server, and the port of a server with a different key. */
  readonly port: number;
  readonly strangerPort: number;
}

/** A pool over real sockets with a manual clock. */
export class PoolStage {
  readonly clock: ManualClock;
  readonly pool: LitePool;
  readonly actors: readonly Actor[];
  readonly #servers: readonly AdnlServer[];
  #asked = 0;

  private constructor(clock: ManualClock, pool: LitePool, actors: readonly Actor[], servers: readonly AdnlServer[]) {
    this.clock = clock;
    this.pool = pool;
    this.actors = actors;
    this.#servers = servers;
  }

  /**
   * Opens a pool with `count` servers named a, b, c…; fake number n answers reads with `timeAnswer(n)`. All of them are
   * in use.
   */
  static async open(count: number, options: LitePoolOptions = {}): Promise<PoolStage> {
    const clock = new ManualClock();
    const servers: AdnlServer[] = [];
    const actors: Actor[] = [];
    const listen = async (fake: FakeLite, seed: Uint8Array) => {
      const still = new ManualClock();
      const address = { host: "127.0.0.1", port: 0, seeds: [seed], maxPayload: 2 ** 20, maxInFlight: 100 };
      const modules = { clock: still, random: systemRandom, handler: serveLite(fake, still) };
      const server = await AdnlServer.open(address, modules);
      servers.push(server);
      return server.port;
    };
    const named = [];
    for (let index = 0; index < count; index++) {
      const fake = new FakeLite(clock);
      fake.play = () => timeAnswer(index);
      const [seed, other] = [systemRandom.bytes(32), systemRandom.bytes(32)];
      const [port, strangerPort] = [await listen(fake, seed), await listen(fake, other)];
      const wire = await Wire.open(port, clock);
      const name = String.fromCharCode(97 + index);
      actors.push({ name, fake, wire, port, strangerPort });
      const address = { host: "127.0.0.1", port: wire.port, publicKey: makeAdnlKey(seed).publicKey };
      const connected = { ...pooledConnection, maxPayload };
      const server = new LiteConnection(address, { clock, random: systemRandom }, connected);
      named.push({ name, address: `127.0.0.1:${wire.port}`, server });
    }
    const find = async (_server: unknown, seqno: number) => ({ seqno, genUtime: 0, startLt: 0n });
    const pool = LitePool.open(named, { clock, random: systemRandom, head: claimedHead, find }, options);
    const stage = new PoolStage(clock, pool, actors, servers);
    await stage.until(() => stage.states().every((state) => state === "ok"), 1_000);
    return stage;
  }

  actor(index: number): Actor {
    const actor = this.actors[index];
    if (actor === undefined) throw new Error(`no server with number ${index}`);
    return actor;
  }

  states(): string[] {
    return this.pool.status().servers.map(({ state }) => state.kind);
  }

  /** A read with unique arguments and a timeout of five seconds. */
  async read(timeoutMs = 5_000): Promise<Uint8Array> {
    this.#asked += 1;
    const query = encodeQuery(getConfigAll, { mode: this.#asked, id: blockIdToTl(masterBlock(100)) });
    const deadline = withDeadline(this.clock, timeoutMs);
    try {
      return await this.pool.ask(query, { signal: deadline.signal });
    } finally {
      deadline.dispose();
    }
  }

  /** Advances the time in small steps and lets sockets progress at each step. */
  async run(ms: number, step = stepMs): Promise<void> {
    for (let passed = 0; passed < ms; passed += step) {
      await this.clock.advance(Math.min(step, ms - passed));
      await turn();
    }
  }

  /** Advances the time until the condition holds and returns the elapsed milliseconds; fails at the limit. */
  async until(condition: () => boolean, limitMs: number): Promise<number> {
    const startedMs = this.clock.monotonic();
    await turn();
    while (!condition()) {
      if (this.clock.monotonic() - startedMs >= limitMs)
        throw new Error(`not met within ${limitMs} ms: ${JSON.stringify(this.pool.status().servers, showable)}`);
      await this.run(stepMs);
    }
    return this.clock.monotonic() - startedMs;
  }

  /** Advances the time until the work settles and returns its result. */
  async drive<T>(work: Promise<T>, limitMs = 60_000): Promise<T> {
    let done = false;
    const settled = work.then(
      () => (done = true),
      () => (done = true),
    );
    await this.until(() => done, limitMs);
    await settled;
    return work;
  }

  /**
   * Makes `count` reads, `atATime` of them concurrently; resolves with the number of answers from each server. Any
   * failure rejects.
   */
  async readMany(count: number, atATime = 4): Promise<number[]> {
    const from = this.actors.map(() => 0);
    const answers = this.actors.map((_, index) => Buffer.from(timeAnswer(index)));
    const reader = async () => {
      for (let left = count / atATime; left > 0; left--) {
        const answer = await this.read();
        const by = answers.findIndex((expected) => expected.equals(answer));
        from[by] = (from[by] ?? 0) + 1;
      }
    };
    await this.drive(Promise.all(Array.from({ length: atATime }, reader)));
    return from;
  }

  /** Sets the head of all fakes. */
  setHead(seqno: number, genUtime?: ServerHead["genUtime"]): void {
    for (const { fake } of this.actors) {
      fake.seqno = seqno;
      fake.genUtime = genUtime;
    }
  }

  async close(): Promise<void> {
    this.pool.destroy(over);
    for (const { wire } of this.actors) await wire.close();
    for (const server of this.#servers) server.destroy(over);
  }
}

async function turn(): Promise<void> {
  for (let count = 0; count < turns; count++) await flushPromises();
}

function showable(_key: string, value: unknown): unknown {
  return typeof value === "bigint" ? String(value) : value;
}
