import type { LiteServer } from "../../../src/lite/server/LiteServer.ts";
import { sendMessage } from "../../../src/lite/tl/liteQueries.ts";

/** Accepts every message but forwards none, like a node whose shards are ahead of their masterchain. */
export function eagerServer(lite: LiteServer): LiteServer {
  const taken = Buffer.alloc(8);
  // liteServer.sendMsgStatus status:int
  taken.writeUInt32LE(0x3950e597, 0);
  taken.writeInt32LE(1, 4);
  return {
    ask: async (query, options) => {
      const id = new DataView(query.buffer, query.byteOffset).getUint32(0, true);
      return id === sendMessage.id ? new Uint8Array(taken) : lite.ask(query, options);
    },
    close: () => lite.close(),
    destroy: (reason) => lite.destroy(reason),
  };
}
