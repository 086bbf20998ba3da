import { join } from "node:path";
import { toBase64 } from "../../src/lib/bytes.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { systemRandom } from "../../src/lib/random.ts";
import { AdnlServer } from "../../src/lite/adnl/AdnlServer.ts";
import { makeAdnlKey } from "../../src/lite/adnl/keys.ts";
import { serveLite } from "../../src/lite/server/serveLite.ts";
import { importChain } from "../../src/localnet/ledger/importChain.ts";
import type { LedgerBlock } from "../../src/localnet/ledger/Ledger.ts";
import { LocalLiteServer } from "../../src/localnet/network/LocalLiteServer.ts";
import { recordingClock } from "../../src/localnet/recording/openRecording.ts";
import { makeAddress } from "../../src/model/Address.ts";
import { forEachTransaction } from "../../src/model/block/Block.ts";
import { listShardTops, shardTopId } from "../../src/model/block/ShardHashes.ts";
import { loadInCell } from "../../src/model/Message.ts";
import { Transaction } from "../../src/model/Transaction.ts";
import type { LiteFacts } from "./messages.ts";

/*
 * A lite server over a recorded chain in its own process, so that its CPU time and memory are not counted for the
 * service.
 */

const ledger = importChain(join(process.cwd(), "test/fixtures/realnet/split"));
const server = new LocalLiteServer({ ledger, clock: recordingClock(ledger, systemClock) });
const seed = systemRandom.bytes(32);
const adnl = await AdnlServer.open(
  { host: "127.0.0.1", port: 0, seeds: [seed], maxInFlight: 1000 },
  { clock: systemClock, random: systemRandom, handler: serveLite(server, systemClock) },
);

const addresses = new Set<string>();

function collect(block: LedgerBlock): void {
  forEachTransaction(ledger.block(block), (cell) => {
    addresses.add(makeAddress(block.id.workchain, loadInCell(Transaction, cell).account));
  });
}

for (let seqno = 1; seqno <= ledger.headId.seqno; seqno++) {
  const master = ledger.getMaster(seqno);
  collect(master);
  const custom = ledger.block(master).extra.load().custom?.load();
  for (const top of custom === undefined ? [] : listShardTops(custom.shardHashes)) {
    const block = ledger.findBlock(shardTopId(top));
    if (block !== undefined) collect(block);
  }
}

const { headId, zero, head } = ledger;
const facts: LiteFacts = {
  port: adnl.port,
  publicKey: toBase64(makeAdnlKey(seed).publicKey),
  addresses: [...addresses],
  head: {
    seqno: headId.seqno,
    rootHash: headId.rootHash,
    fileHash: headId.fileHash,
    genUtime: head?.info.genUtime ?? 0,
    zeroRootHash: zero.id.rootHash,
    zeroFileHash: zero.id.fileHash,
  },
};
process.send?.(facts);
process.on("disconnect", () => process.exit());
