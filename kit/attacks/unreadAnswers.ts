import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout } from "node:timers/promises";
import { makeAddress } from "../../src/model/Address.ts";
import { installContract } from "./localControls.ts";
import { methodRequests } from "./methodCalls.ts";
import { repeatedBagCode } from "./sharedStackCode.ts";

const address = makeAddress(0, "a3".repeat(32));
/** As many cells as a bag may have for the answer to be just less than the 8 MB that the stack of one may have. */
const cells = 170;
const leastBytes = 7_000_000;
const connections = 100;
const pauseMs = 100;

/** Requests so far: all of them differ, so that no two share an answer. */
let requests = 0;

/**
 * Asks for an answer of 8 MB on ten new connections a second, for ten seconds, and reads none; returns a function that
 * ends the connections.
 */
export async function leaveLargeAnswers(origin: string): Promise<() => void> {
  const seqno = await installContract(origin, address, repeatedBagCode(cells));
  const sockets: Socket[] = [];
  const begun: string[] = [];
  for (let at = 0; at < connections; at++) {
    const { path, body } = methodRequests["v2 Std"]({ address, seqno, number: requests++ });
    const socket = await post(origin, path, JSON.stringify(body));
    // The head of the answer says whether this is an attack; nothing more is read.
    socket.once("data", (bytes) => {
      begun.push(bytes.toString("latin1", 0, 400));
      socket.pause();
    });
    sockets.push(socket);
    await setTimeout(pauseMs);
  }
  const lengths = begun.map((head) =>
    Number(/^HTTP\/1\.1 200 .*?\r\ncontent-length: (\d+)\r\n/is.exec(head)?.[1] ?? 0),
  );
  if (!lengths.some((length) => length >= leastBytes))
    throw new Error(`no answer of ${leastBytes} bytes: ${begun[0]?.slice(0, 300)}`);
  return () => {
    for (const socket of sockets) socket.destroy();
  };
}

async function post(origin: string, path: string, body: string): Promise<Socket> {
  const { hostname, port } = new URL(origin);
  const socket = connect(Number(port), hostname);
  socket.on("error", () => undefined);
  await once(socket, "connect");
  const head = ["Host: a", "Content-Type: application/json", `Content-Length: ${body.length}`].join("\r\n");
  socket.write(`POST ${path} HTTP/1.1\r\n${head}\r\n\r\n${body}`);
  return socket;
}
