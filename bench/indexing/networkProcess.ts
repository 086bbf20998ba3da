import { fromHex } from "../../src/lib/bytes.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { openLog } from "../../src/lib/log.ts";
import { systemRandom } from "../../src/lib/random.ts";
import { AdnlServer } from "../../src/lite/adnl/AdnlServer.ts";
import type { LiteServer } from "../../src/lite/server/LiteServer.ts";
import { serveLite } from "../../src/lite/server/serveLite.ts";
import type { Ledger } from "../../src/localnet/ledger/Ledger.ts";
import { Faucet } from "../../src/localnet/network/faucet.ts";
import { formatGlobalConfig } from "../../src/localnet/network/globalConfig.ts";
import { Localnet } from "../../src/localnet/network/Localnet.ts";
import { Traffic } from "../../src/localnet/offer/traffic.ts";
import { openRecording } from "../../src/localnet/recording/openRecording.ts";
import { openExecutor } from "../../src/tvm/run/openExecutor.ts";
import { fillChain } from "./fillChain.ts";
import type { NetworkKind, NetworkNote } from "./messages.ts";

/*
 * A lite server over a recorded or a live chain in its own process, so that its memory is not counted for the indexer.
 */

const host = "127.0.0.1";
const adnlSeed = fromHex("11".repeat(32));
const seed = "bench";
const log = openLog({ level: "error" });
const report = (note: NetworkNote) => process.send?.(note);

async function serve(server: LiteServer, { zero, headId }: Ledger): Promise<void> {
  const adnl = await AdnlServer.open(
    { host, port: 0, seeds: [adnlSeed], maxInFlight: 1000 },
    { clock: systemClock, random: systemRandom, handler: serveLite(server, systemClock) },
  );
  const [publicKey] = adnl.publicKeys;
  if (publicKey === undefined) throw new Error("the server has no key");
  const globalConfig = formatGlobalConfig({ zeroState: zero.id, host, port: adnl.port, publicKey });
  report({ kind: "ready", globalConfig, headSeqno: headId.seqno });
}

async function open(kind: NetworkKind): Promise<void> {
  if (kind.kind === "recorded") {
    const { ledger, server } = openRecording(kind.folder, { clock: systemClock });
    return serve(server, ledger);
  }
  const executor = await openExecutor({}, { clock: systemClock });
  if (kind.kind === "filled") {
    const net = await Localnet.open({ seed, pace: { kind: "manual" } }, { clock: systemClock, executor, log });
    await fillChain(net, kind);
    return serve(net.lite, net.ledger);
  }
  const { blockMs, transfersPerSecond: perSecond } = kind;
  const pace = { kind: "steady", blockMs } as const;
  const net = await Localnet.open({ seed, pace }, { clock: systemClock, executor, log });
  await serve(net.lite, net.ledger);
  new Traffic({ perSecond, wallets: perSecond * 2 }, { net, faucet: new Faucet({}, { net }), log }).start();
  for await (const { id } of net.heads(new AbortController().signal))
    report({ kind: "head", seqno: id.seqno, atMs: Date.now() });
}

process.on("disconnect", () => process.exit());
await open(JSON.parse(process.argv[2] ?? "{}"));
