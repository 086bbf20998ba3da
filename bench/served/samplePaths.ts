import { setTimeout } from "node:timers/promises";
import { Timings, timed } from "../kit/timings.ts";

/** Paths that one ordinary client asks for, by the interface that answers them. */
const paths = {
  v2: ["/api/v2/getMasterchainInfo", `/api/v2/getAddressInformation?address=0:${"1".repeat(64)}`],
  v3: ["/api/v3/masterchainInfo", "/api/v3/transactions?limit=10", "/api/v3/blocks?limit=10"],
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
