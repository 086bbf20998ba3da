import { Agent, request as httpRequest } from "node:http";
import { gunzipSync } from "node:zlib";
import type { FuzzedRequest } from "./fuzzedV2Requests.ts";

export interface FuzzedAnswer {
  readonly status: number;
  readonly type: string | undefined;
  readonly text: string;
}

/** The fault of an answer, if any. */
export type FindFault = (request: FuzzedRequest, answer: FuzzedAnswer) => string | undefined;

/** What the answers to many requests were. */
export interface FuzzedAnswers {
  /** The first answers with a fault. */
  readonly wrong: readonly unknown[];
  readonly statuses: ReadonlyMap<number, number>;
  /** Names of the API methods that were called. */
  readonly asked: ReadonlySet<string>;
}

const together = 16;
const maxShown = 20;

/** Sends requests to a port of this machine, several at a time. */
export async function sendFuzzed(
  port: number,
  { count, next }: { readonly count: number; readonly next: () => FuzzedRequest },
  findFault: FindFault,
): Promise<FuzzedAnswers> {
  const agent = new Agent({ keepAlive: true, maxSockets: together });
  const wrong: unknown[] = [];
  const statuses = new Map<number, number>();
  const asked = new Set<string>();
  let left = count;
  const work = async () => {
    while (left-- > 0) {
      const request = next();
      const answer = await send(agent, port, request);
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      for (const name of request.asks) asked.add(name);
      const fault = findFault(request, answer);
      if (fault !== undefined && wrong.length < maxShown)
        wrong.push({ fault, request, answer: answer.text.slice(0, 500) });
    }
  };
  try {
    await Promise.all(Array.from({ length: together }, work));
  } finally {
    agent.destroy();
  }
  return { wrong, statuses, asked };
}

function send(agent: Agent, port: number, { method, path, headers, body }: FuzzedRequest): Promise<FuzzedAnswer> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest({ agent, host: "127.0.0.1", port, method, path, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () => {
        const bytes = Buffer.concat(chunks);
        const text = response.headers["content-encoding"] === "gzip" ? gunzipSync(bytes).toString() : bytes.toString();
        resolve({ status: response.statusCode ?? 0, type: response.headers["content-type"], text });
      });
    });
    sent.on("error", reject);
    sent.end(body);
  });
}
