import { Socket } from "node:net";

/** What the driver knows of where to connect to. */
export interface SocketAddress {
  readonly host: readonly string[];
  readonly port: readonly number[];
  readonly path: string | false | undefined;
}

/**
 * Makes the driver's sockets, several hosts being tried in turns. They send at once: the driver ends a copy by a packet of
 * its own, which would otherwise wait for the other side's word on the data before it, 40 ms for each table.
 */
export function socketOpener(): (address: SocketAddress) => Socket {
  let attempts = 0;
  return ({ host, port, path }) => {
    const socket = new Socket().setNoDelay(true);
    const turn = attempts++ % host.length;
    const name = host[turn] ?? "localhost";
    // The driver looks there for the name that a certificate must bear.
    Object.assign(socket, { host: name });
    return typeof path === "string" ? socket.connect(path) : socket.connect(port[turn] ?? 5432, name);
  };
}
