import { setTimeout } from "node:timers/promises";
import { Timings, timed } from "../kit/timings.ts";

/** An account that others have nothing to do with, and the elector, which has transactions in every block. */
const [quiet, busy] = [`0:${"1".repeat(64)}`, `-1:${"3".repeat(64)}`];

/**
 * Paths that one ordinary client asks for, by the interface that answers them. What they answer does not depend on what
 * others do: the newest transactions of all accounts would be those of a flood, with hundreds of messages each.
 */
const paths = {
  v2: ["/api/v2/getMasterchainInfo", `/api/v2/getAddressInformation?address=${quiet}`],
  v3: ["/api/v3/masterchainInfo", `/api/v3/transactions?account=${busy}&limit=10`, "/api/v3/blocks?limit=10"],
} as const;

const pauseMs = 20;

/** What an ordinary client saw. */
export interface PathSample {
  readonly v2: Timings;
  readonly v3: Timings;
  /** Answers other than 200. */
  failures: number;
}

/** Asks one request after another for this long, and measures each. */
export async function samplePaths(origin: string, durationMs: number): Promise<PathSample> {
  const sample: PathSample = { v2: new Timings(), v3: new Timings(), failures: 0 };
  const ask = async (path: string): Promise<void> => {
    const answer = await fetch(`${origin}${path}`);
    await answer.arrayBuffer();
    if (answer.status !== 200) sample.failures++;
  };
  const all = (["v2", "v3"] as const).flatMap((version) => paths[version].map((path) => ({ version, path })));
  for (const end = performance.now() + durationMs; performance.now() < end; ) {
    for (const { version, path } of all) {
      sample[version].add(await timed(() => ask(path)));
      await setTimeout(pauseMs);
    }
  }
  return sample;
}
