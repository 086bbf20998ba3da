import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { toBase64 } from "../../lib/bytes.ts";
import { systemClock } from "../../lib/clock.ts";
import { openLog } from "../../lib/log.ts";
import { systemRandom } from "../../lib/random.ts";
import { findInitBlock, formatGlobalConfig } from "../../localnet/network/globalConfig.ts";
import { methodRunner } from "../../localnet/network/methodRunner.ts";
import { openRecording } from "../../localnet/recording/openRecording.ts";
import { openExecutor } from "../../tvm/run/openExecutor.ts";
import type { RunningService, Terminal } from "../Command.ts";
import { globalConfigName } from "../dataFolder.ts";
import { type Closers, openTogether } from "../service/parts/Closers.ts";
import { listenForLiteClients } from "./listenForLiteClients.ts";

export interface RecordedNetSettings {
  readonly folder: string;
  readonly port: number;
}

/** Serves a recorded chain as it was at its last block. */
export function openRecordedNet(settings: RecordedNetSettings, terminal: Terminal): Promise<RunningService> {
  return openTogether(async (closers) => {
    await openParts(settings, terminal, closers);
    return { close: () => closers.close() };
  });
}

async function openParts({ folder, port }: RecordedNetSettings, terminal: Terminal, closers: Closers): Promise<void> {
  const log = openLog({ level: "info" });
  const served = await listenForLiteClients({ port, seed: systemRandom.bytes(32) }, { log });
  closers.add("recorded network", () => served.close());
  const executor = await openExecutor({}, { clock: systemClock });
  closers.add("executor", () => executor.close());
  const { ledger, server } = openRecording(folder, {
    clock: systemClock,
    makeRunMethod: (recorded) => methodRunner(executor, recorded),
  });
  closers.add("lite port", () => server.close());
  served.serve(server);
  const ownFolder = mkdtempSync(join(tmpdir(), "tongate-"));
  closers.add("folder of the configuration", async () => rmSync(ownFolder, { recursive: true, force: true }));
  const configPath = join(ownFolder, globalConfigName);
  writeFileSync(
    configPath,
    formatGlobalConfig({ zeroState: ledger.zero.id, initBlock: findInitBlock(ledger), ...served }),
  );
  terminal.write(
    [
      `Serving the recorded chain in ${folder}, up to masterchain block ${ledger.headId.seqno}, read-only.`,
      "",
      `  lite server    ${served.host}:${served.port}  key ${toBase64(served.publicKey)}`,
      `  global config  ${configPath}`,
      "",
      "Ctrl-C stops it.",
      "",
    ].join("\n"),
  );
}
