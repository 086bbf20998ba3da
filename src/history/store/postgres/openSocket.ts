import { Socket } from "node:net";

/** The driver's connection options. */
export interface SocketAddress {
  readonly host: readonly string[];
  readonly port: readonly number[];
  readonly path: string | false | undefined;
}

/**
 * Opens the driver's sockets; several hosts are tried in turn. Nagle's algorithm is off: the driver ends a COPY with
 * its own packet, which would otherwise wait 40 ms for each table.
 */
export function socketOpener(): (address: SocketAddress) => Socket {
  let attempts = 0;
  return ({ host, port, path }) => {
    const socket = new Socket().setNoDelay(true);
    const turn = attempts++ % host.length;
    const name = host[turn] ?? "localhost";
    // The driver reads here the name that a certificate must have.
    Object.assign(socket, { host: name });
    return typeof path === "string" ? socket.connect(path) : socket.connect(port[turn] ?? 5432, name);
  };
}
