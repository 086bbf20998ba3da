import { parentPort, workerData } from "node:worker_threads";
import { openReplayedBlock } from "../../chain/replay/replay.ts";
import { replayShare } from "./replayShare.ts";
import type { ReplayThreadStart } from "./replayShares.ts";
import { withChain } from "./withChain.ts";

// The program of a thread that replays a share of a block, with connections of its own.

const port = parentPort;
if (port === null) throw new Error("this file runs only as a worker thread");
const { config, block, share } = workerData as ReplayThreadStart;
const ignore = (): void => {};
port.once("message", () => process.exit());
await withChain(config, { write: ignore, writeError: ignore }, async (chain) => {
  port.postMessage(await replayShare(chain, await openReplayedBlock(chain, block), share));
});
port.close();
