import { Socket } from "node:net";

/** The driver's connection options. */
export interface SocketAddress {
  readonly host: readonly string[];
  readonly port: readonly number[];
  readonly path: string | false | undefined;
}

/** The driver's sockets of one session. */
export interface DriverSockets {
  /** An option of the driver that its types lack. */
  readonly option: object;
  /** Ends all of them: the driver only says goodbye, and a server that hangs never closes its end. */
  destroy(): void;
}

/**
 * Opens the driver's sockets; several hosts are tried in turn. Nagle's algorithm is off: the driver ends a COPY with
 * its own packet, which would otherwise wait 40 ms for each table.
 */
export function openSockets(): DriverSockets {
  let attempts = 0;
  const sockets = new Set<Socket>();
  const socket = ({ host, port, path }: SocketAddress): Socket => {
    const opened = new Socket().setNoDelay(true);
    sockets.add(opened);
    opened.once("close", () => sockets.delete(opened));
    const turn = attempts++ % host.length;
    const name = host[turn] ?? "localhost";
    // The driver reads here the name that a certificate must have.
    Object.assign(opened, { host: name });
    return typeof path === "string" ? opened.connect(path) : opened.connect(port[turn] ?? 5432, name);
  };
  const destroy = () => {
    for (const each of sockets) each.destroy();
  };
  return { option: { socket }, destroy };
}
