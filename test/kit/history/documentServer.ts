import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";

/** A local HTTP server whose answers the test supplies. */
export interface DocumentServer {
  readonly port: number;
  /** Requested paths, in order. */
  readonly asked: readonly string[];
  /** The maximum number of concurrent requests so far. */
  readonly max: () => number;
  close(): Promise<void>;
}

export type Answering = (request: IncomingMessage, response: Parameters<RequestListener>[1]) => void | Promise<void>;

export async function openDocumentServer(answer: Answering): Promise<DocumentServer> {
  const asked: string[] = [];
  let [running, max] = [0, 0];
  const server = createServer((request, response) => {
    asked.push(request.url ?? "");
    running++;
    max = Math.max(max, running);
    response.once("close", () => running--);
    void answer(request, response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    ...{ port, asked },
    max: () => max,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
