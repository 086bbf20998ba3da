import { systemClock } from "../../../src/lib/clock.ts";
import { systemRandom } from "../../../src/lib/random.ts";
import { AdnlServer } from "../../../src/lite/adnl/AdnlServer.ts";
import { LiteError } from "../../../src/lite/errors.ts";
import { LiteConnection } from "../../../src/lite/server/LiteConnection.ts";
import type { LiteServer } from "../../../src/lite/server/LiteServer.ts";
import { serveLite } from "../../../src/lite/server/serveLite.ts";

/** A lite server on a real socket, with a connection to it. */
export interface ServedChain {
  readonly port: number;
  readonly publicKey: Uint8Array;
  readonly connection: LiteConnection;
  close(): Promise<void>;
}

export async function serveChain(lite: LiteServer): Promise<ServedChain> {
  const modules = { clock: systemClock, random: systemRandom };
  const handler = serveLite(lite, systemClock);
  const options = { host: "127.0.0.1", port: 0, seeds: [systemRandom.bytes(32)] };
  const server = await AdnlServer.open(options, { ...modules, handler });
  const publicKey = server.publicKeys[0] ?? new Uint8Array();
  const connection = new LiteConnection({ host: "127.0.0.1", port: server.port, publicKey }, modules);
  return {
    port: server.port,
    publicKey,
    connection,
    close: async () => {
      await connection.close();
      server.destroy(new LiteError("lite/closed", "the test is over"));
    },
  };
}
