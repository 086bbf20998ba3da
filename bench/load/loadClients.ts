import { Agent, get, type IncomingMessage, request } from "node:http";
import { setTimeout } from "node:timers/promises";

/** What clients saw. */
export interface LoadCounts {
  requests: number;
  events: number;
  readonly errors: string[];
}

const pauseMs = 10;
/** A connection is used for this many requests, so that both servers are asked. */
const requestsPerConnection = 20;

/** Requests about the accounts, transactions and blocks that the index has. */
async function listPaths(origin: string): Promise<readonly string[]> {
  const read = async (path: string) => Object(await (await fetch(`${origin}/api/v3/${path}`)).json());
  const { transactions } = await read("transactions?limit=50");
  const known = transactions as readonly Readonly<Record<string, string>>[];
  const pick = (name: string, at: number) => encodeURIComponent(`${known[at % known.length]?.[name] ?? ""}`);
  const about = [0, 7, 19, 33].flatMap((at) => [
    `/api/v2/getAddressInformation?address=${pick("account", at)}`,
    `/api/v2/getTransactions?address=${pick("account", at)}&limit=5`,
    `/api/v3/transactions?account=${pick("account", at)}&limit=20`,
    `/api/v3/actions?account=${pick("account", at)}&limit=20`,
    `/api/v3/traces?account=${pick("account", at)}&limit=5`,
    `/api/v3/messages?destination=${pick("account", at)}&limit=20`,
    `/api/v3/accountStates?address=${pick("account", at)}`,
    `/api/v3/transactions?hash=${pick("hash", at)}`,
    `/api/v3/adjacentTransactions?hash=${pick("hash", at)}`,
    `/api/v3/transactionsByMasterchainBlock?seqno=${pick("mc_block_seqno", at)}`,
  ]);
  const lists = ["transactions", "actions", "blocks", "jetton/transfers", "nft/items", "jetton/wallets", "messages"];
  return [
    ...about,
    ...lists.map((path) => `/api/v3/${path}?limit=20`),
    ...["getMasterchainInfo", "getConsensusBlock"].map((name) => `/api/v2/${name}`),
    "/api/v3/masterchainInfo",
  ];
}

function ask(origin: string, path: string, agent: Agent): Promise<string | undefined> {
  return new Promise((resolve) => {
    const fail = (error: Error) => resolve(`${path}: ${error.message}`);
    get(`${origin}${path}`, { agent }, (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (piece: string) => {
        text = (text + piece).slice(0, 300);
      });
      response.on("error", fail);
      response.on("end", () => {
        const { statusCode } = response;
        // A transaction may have no neighbours, which is an answer.
        const isGood = statusCode === 200 || (statusCode === 404 && path.includes("adjacent"));
        resolve(isGood ? undefined : `${path}: ${statusCode} ${text}`);
      });
    }).on("error", fail);
  });
}

/** Sends requests one after another until the signal aborts. */
async function runClient(
  origin: string,
  paths: readonly string[],
  first: number,
  counts: LoadCounts,
  stop: AbortSignal,
) {
  let agent = new Agent({ keepAlive: true, maxSockets: 1 });
  for (let at = first; !stop.aborted; at++) {
    if ((at - first) % requestsPerConnection === 0) {
      agent.destroy();
      agent = new Agent({ keepAlive: true, maxSockets: 1 });
    }
    const error = await ask(origin, paths[at % paths.length] ?? "", agent);
    counts.requests++;
    if (error !== undefined) counts.errors.push(error);
    await setTimeout(pauseMs);
  }
  agent.destroy();
}

/** Reads a stream until the signal aborts; one that ends before is an error. */
function runStream(origin: string, counts: LoadCounts, stop: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (reason: string) => {
      if (!stop.aborted) counts.errors.push(`a stream ended: ${reason}`);
      resolve();
    };
    const headers = { "content-type": "application/json" };
    const opened = request(
      `${origin}/api/streaming/v2/sse`,
      { method: "POST", headers },
      (response: IncomingMessage) => {
        response.setEncoding("utf8");
        response.on("data", (text: string) => {
          counts.events += text.split("data: ").length - 1;
        });
        response.on("error", ({ message }) => end(message));
        response.on("close", () => end(`status ${response.statusCode}`));
      },
    );
    opened.on("error", ({ message }) => end(message));
    opened.end('{"types":["blocks"],"cursor":true}');
    stop.addEventListener("abort", () => {
      opened.destroy();
      resolve();
    });
  });
}

/** Loads a service with v2, v3 and streams until the signal aborts. */
export async function runLoad(origin: string, counts: LoadCounts, stop: AbortSignal): Promise<void> {
  const paths = await listPaths(origin);
  const clients = [0, 13, 29, 41].map((first) => runClient(origin, paths, first, counts, stop));
  const streams = Array.from({ length: 8 }, () => runStream(origin, counts, stop));
  await Promise.all([...clients, ...streams]);
}
