import { once } from "node:events";
import { connect } from "node:net";

/** Offers other protocols on many connections and resets each as soon as it is sent. */
export async function resetUpgrades(origin: string, count: number): Promise<void> {
  const { hostname, port } = new URL(origin);
  const heads = ["h2c", "websocket"].flatMap((protocol) =>
    ["GET", "POST"].map(
      (method) =>
        `${method} /api/v2/nowhere HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: ${protocol}\r\n` +
        `HTTP2-Settings: AAMAAABkAAQAoAAA\r\n${method === "POST" ? "Content-Length: 100\r\n" : ""}\r\n`,
    ),
  );
  for (let at = 0; at < count; at++) {
    const socket = connect({ host: hostname, port: Number(port) });
    socket.on("error", () => {});
    await once(socket, "connect");
    socket.write(`${heads[at % heads.length]}partly`);
    if (at % 3 === 0) await once(socket, "data");
    socket.resetAndDestroy();
  }
}

/** Offers h2c with bodies that never end, and keeps the connections; returns a function that ends them. */
export async function keepUpgrades(origin: string, count: number): Promise<() => void> {
  const { hostname, port } = new URL(origin);
  const sockets = Array.from({ length: count }, () => connect({ host: hostname, port: Number(port) }));
  for (const socket of sockets) {
    socket.on("error", () => {});
    await once(socket, "connect");
    socket.write(
      "POST /api/v2/jsonRPC HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: h2c\r\nContent-Length: 100\r\n\r\n{",
    );
  }
  return () => {
    for (const socket of sockets) socket.destroy();
  };
}
