import { Agent, type IncomingMessage, request } from "node:http";
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

/** A request: POST with a body, GET without. */
interface LoadRequest {
  readonly path: string;
  readonly body?: object;
}

type KnownTransaction = Readonly<Record<string, string>>;

async function readTransactions(origin: string): Promise<readonly KnownTransaction[]> {
  const { transactions } = Object(await (await fetch(`${origin}/api/v3/transactions?limit=50`)).json());
  return transactions;
}

/** Requests about the accounts, transactions and blocks that the index has. */
function listRequests(known: readonly KnownTransaction[]): readonly LoadRequest[] {
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
  const paths = [
    ...about,
    ...lists.map((path) => `/api/v3/${path}?limit=20`),
    ...["getMasterchainInfo", "getConsensusBlock"].map((name) => `/api/v2/${name}`),
    "/api/v3/masterchainInfo",
  ];
  const address = known[0]?.account;
  const run = { address, method: "seqno", stack: [] };
  return [
    ...paths.map((path) => ({ path })),
    { path: "/api/v2/runGetMethod", body: run },
    { path: "/api/v3/runGetMethod", body: run },
    { path: "/api/v2/jsonRPC", body: { id: 1, method: "getAddressBalance", params: { address } } },
  ];
}

function ask(origin: string, { path, body }: LoadRequest, agent: Agent): Promise<string | undefined> {
  return new Promise((resolve) => {
    const fail = (error: Error) => resolve(`${path}: ${error.message}`);
    const headers = body === undefined ? {} : { "content-type": "application/json" };
    const method = body === undefined ? "GET" : "POST";
    const sent = request(`${origin}${path}`, { agent, method, headers }, (response) => {
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
    });
    sent.on("error", fail);
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

/** Sends requests one after another until the signal aborts. */
async function runClient(
  origin: string,
  requests: readonly LoadRequest[],
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
    const next = requests[at % requests.length];
    const error = next && (await ask(origin, next, agent));
    counts.requests++;
    if (error !== undefined) counts.errors.push(error);
    await setTimeout(pauseMs);
  }
  agent.destroy();
}

/** Reads a stream until the signal aborts; one that ends before is an error. */
function runStream(origin: string, wanted: object, counts: LoadCounts, stop: AbortSignal): Promise<void> {
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
    opened.end(JSON.stringify(wanted));
    stop.addEventListener("abort", () => {
      opened.destroy();
      resolve();
    });
  });
}

/** Subscriptions of every kind; each is made twice, so that both servers have it. */
function listSubscriptions(known: readonly KnownTransaction[]): readonly object[] {
  const addresses = [...new Set(known.map(({ account }) => account))].slice(0, 10);
  const ofAccounts = ["transactions", "actions", "account_state_change", "jettons_change"];
  const wanted = [
    { types: ["blocks"], cursor: true },
    { types: ofAccounts, addresses },
    { types: ofAccounts, addresses, min_finality: "pending" },
    { types: ["actions"], addresses, action_types: ["ton_transfer"] },
  ];
  return [...wanted, ...wanted];
}

/** Loads a service with v2, v3 and streams until the signal aborts. */
export async function runLoad(origin: string, counts: LoadCounts, stop: AbortSignal): Promise<void> {
  const known = await readTransactions(origin);
  const requests = listRequests(known);
  const clients = [0, 13, 29, 41].map((first) => runClient(origin, requests, first, counts, stop));
  const streams = listSubscriptions(known).map((wanted) => runStream(origin, wanted, counts, stop));
  await Promise.all([...clients, ...streams]);
}
