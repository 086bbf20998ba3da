import { expect, it, onTestFinished } from "vitest";
import { LiteError } from "../../../src/lite/errors.ts";
import type { LiteServer } from "../../../src/lite/server/LiteServer.ts";
import { lookupBlock, lookupBlockWithProof } from "../../../src/lite/tl/liteQueries.ts";
import { formatRawAddress } from "../../../src/model/Address.ts";
import { RemoteStage } from "../../kit/app/remoteStage.ts";

/** A lite server without old blocks. */
function forgetful(lite: LiteServer): LiteServer {
  return {
    ask: async (query, options) => {
      const id = new DataView(query.buffer, query.byteOffset).getUint32(0, true);
      if (id === lookupBlock.id || id === lookupBlockWithProof.id)
        throw new LiteError("lite/server", "block is not in db", { data: { serverCode: 651 } });
      return lite.ask(query, options);
    },
    close: () => lite.close(),
    destroy: (reason) => lite.destroy(reason),
  };
}

it("emulation says which block could not be had, and why", async () => {
  const stage = await RemoteStage.open();
  onTestFinished(() => stage.close());
  const net = await stage.openNet();
  for (let block = 0; block < 3; block++) await net.step();
  const config = stage.writeGlobalConfig("net.json", net, [await stage.openServer(forgetful(net.lite))]);
  const service = await stage.serve(["--network", config, "--trust"]);
  const from = net.keys.wallets[4]?.wallet.address;
  if (from === undefined) throw new Error("there is no such wallet");
  const messages = [{ address: `0:${"d1".repeat(32)}`, amount: "1" }];
  const ask = (more: object) =>
    service.ask("/api/emulate/v1/emulateTonConnect", { body: { from: formatRawAddress(from), messages, ...more } });
  // A service that has just started may not know the newest block yet.
  await expect.poll(async () => (await ask({})).status, { timeout: 300_000 }).toBe(200);
  expect(await ask({ mc_block_seqno: 2 })).toEqual({
    status: 500,
    body: { error: expect.stringMatching(/^failed to fetch mc block {2}2: .*block is not in db/) },
  });
});
