import { createServer, type Server, type ServerResponse } from "node:http";
import { blockFrame } from "./madeBlock.ts";
import { StreamStage } from "./StreamStage.ts";

/** The least that a server can do: it writes the same bytes to every connection, whoever reads them. */
export class PlainStage extends StreamStage {
  readonly #responses: ServerResponse[] = [];
  protected readonly server: Server = createServer((request, response) => {
    request.resume();
    response.writeHead(200, { "Content-Type": "text/event-stream" });
    response.write('event: connected\ndata: {"status":"subscribed"}\n\n');
    this.#responses.push(response);
  });
  #last = 1;

  grow(): void {
    this.#last += 1;
    const frame = blockFrame(this.#last);
    for (const response of this.#responses) response.write(frame);
  }

  protected async stop(): Promise<void> {
    for (const response of this.#responses) response.end();
  }
}
