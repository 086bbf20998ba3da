import { once } from "node:events";
import { connect } from "node:net";

/** Sends text over a socket and returns the whole answer. */
export async function sendRaw(port: number, request: string, host = "127.0.0.1"): Promise<string> {
  const socket = connect({ port, host });
  await once(socket, "connect");
  let answer = "";
  socket.setEncoding("latin1");
  socket.on("data", (chunk: string) => {
    answer += chunk;
  });
  socket.on("error", () => {});
  socket.write(request);
  await once(socket, "close");
  return answer;
}

export function readRaw(answer: string): { readonly status: number; readonly head: string; readonly body: unknown } {
  const at = answer.indexOf("\r\n\r\n");
  const [head, text] = [answer.slice(0, at), answer.slice(at + 4)];
  return { status: Number(head.split(" ")[1]), head, body: text === "" ? undefined : JSON.parse(text) };
}
