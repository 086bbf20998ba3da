import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { LiteFacts, Load, Loaded, ServiceAnswer, ServiceFacts, ServiceRequest } from "./cold/messages.ts";
import { type Benchmark, benchmark, type Measured, median } from "./kit/benchmark.ts";

/** The service, a lite server and a client, each in its own process, for the duration of a measurement. */
class Stage {
  readonly #processes: readonly ChildProcess[];
  readonly #load: ChildProcess;
  readonly #service: ChildProcess;
  readonly facts: ServiceFacts;
  readonly addresses: readonly string[];

  constructor(processes: readonly [ChildProcess, ChildProcess, ChildProcess], facts: ServiceFacts, lite: LiteFacts) {
    [, this.#service, this.#load] = processes;
    this.#processes = processes;
    this.facts = facts;
    this.addresses = lite.addresses;
  }

  static async open(keeping: "anew" | "kept"): Promise<Stage> {
    const lite = start("liteProcess");
    const liteFacts = await nextMessage<LiteFacts>(lite);
    const service = start("serviceProcess", JSON.stringify(liteFacts), keeping);
    const facts = await nextMessage<ServiceFacts>(service);
    const load = start("loadProcess");
    await nextMessage(load);
    return new Stage([lite, service, load], facts, liteFacts);
  }

  paths(method = "getAddressInformation"): string[] {
    return this.addresses.map((address) => `/api/v2/${method}?address=${address}`);
  }

  load(load: Load): Promise<Loaded> {
    const loaded = nextMessage<Loaded>(this.#load);
    this.#load.send(load);
    return loaded;
  }

  ask(query: ServiceRequest): Promise<ServiceAnswer> {
    const answered = nextMessage<ServiceAnswer>(this.#service);
    this.#service.send(query);
    return answered;
  }

  async number(kind: "resident" | "asked"): Promise<number> {
    const answer = await this.ask({ kind });
    return "value" in answer ? answer.value : Number.NaN;
  }

  close(): void {
    for (const each of this.#processes) each.disconnect();
  }
}

function start(name: string, ...args: string[]): ChildProcess {
  return fork(join(import.meta.dirname, "cold", `${name}.js`), args, {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
}

async function nextMessage<T>(from: ChildProcess): Promise<T> {
  const over = new AbortController();
  const gone = once(from, "exit", { signal: over.signal }).then(([code]) => {
    throw new Error(`a process ended with ${code}`);
  });
  try {
    const [message] = (await Promise.race([once(from, "message", { signal: over.signal }), gone])) as [T];
    return message;
  } finally {
    // The losing promises end here; their rejection is expected.
    gone.catch(() => {});
    over.abort();
  }
}

/** A benchmark whose processes live only while it is measured. */
function staged(
  about: Omit<Benchmark, "measure" | "group">,
  keeping: "anew" | "kept",
  measure: (stage: Stage) => Promise<Measured>,
): Benchmark {
  return {
    ...about,
    group: "cold",
    measure: async () => {
      const stage = await Stage.open(keeping);
      try {
        return await measure(stage);
      } finally {
        stage.close();
      }
    },
  };
}

const connections = 16;
const count = 2000;

const throughput = staged(
  {
    name: "account with proofs, never cached",
    unit: "requests/s",
    baseline: "bare node:http, same bytes",
    mark: 0.06,
  },
  "anew",
  (stage) => {
    const { port, barePort } = stage.facts;
    const load = { paths: stage.paths(), count, connections };
    return benchmark({
      name: "",
      group: "",
      unit: "",
      amount: count,
      baseline: { name: "", run: () => stage.load({ ...load, port: barePort }) },
      subject: { run: () => stage.load({ ...load, port }) },
    }).measure();
  },
);

function percentile(times: readonly number[], share: number): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * share)] ?? Number.NaN;
}

const rounds = 7;
const askedARound = 400;

/**
 * The time that the service adds to the lite server's own time, one request at a time, measured in alternating rounds.
 */
function overhead(name: string, share: number, markMs: number): Benchmark {
  const about = { name, unit: "ms added", baseline: `at most ${markMs} ms`, mark: 1 };
  return staged(about, "anew", async (stage) => {
    const added: number[] = [];
    for (let round = 0; round <= rounds; round++) {
      const own = await stage.ask({ kind: "own-times", count: askedARound });
      const load = { port: stage.facts.port, paths: stage.paths(), count: askedARound, connections: 1 };
      const { times } = await stage.load(load);
      // The first round warms up.
      if (round > 0 && "times" in own) added.push(percentile(times, share) - percentile(own.times, share));
    }
    const value = median(added);
    return { value, ratio: markMs / value };
  });
}

const identical = 100;

const sharing = staged(
  { name: `queries upstream for ${identical} identical requests`, unit: "queries", baseline: "one", mark: 1 },
  "kept",
  async (stage) => {
    const [, path = ""] = stage.paths("getShardAccountCell");
    const before = await stage.number("asked");
    await stage.load({ port: stage.facts.port, paths: [path], count: identical, connections: identical });
    const value = (await stage.number("asked")) - before;
    return { value, ratio: 1 / value };
  },
);

const million = 1_000_000;
const megabyte = 2 ** 20;

/**
 * Nine of ten requests hit the cache, until the next block. Reports the resident memory after a tenth and at the end.
 */
const memory = staged(
  { name: "resident after a million requests", unit: "MB", baseline: "200 MB", mark: 1 },
  "kept",
  async (stage) => {
    const paths = [...stage.paths(), ...stage.paths("getWalletInformation"), ...stage.paths("getTransactions")];
    const load = { port: stage.facts.port, paths, connections: 8 };
    const residents: number[] = [];
    for (let tenth = 1; tenth <= 10; tenth++) {
      await stage.load({ ...load, count: million / 10 });
      residents.push((await stage.number("resident")) / megabyte);
    }
    const value = residents.at(-1) ?? Number.NaN;
    const shown = residents.map((each) => each.toFixed(0)).join(" ");
    process.stdout.write(`MB resident at each tenth of a million requests: ${shown}\n`);
    return { value, ratio: 200 / value };
  },
);

export const benchmarks: readonly Benchmark[] = [
  throughput,
  overhead("added to the lite server's time, p50", 0.5, 1.5),
  overhead("added to the lite server's time, p99", 0.99, 5),
  sharing,
  memory,
];
