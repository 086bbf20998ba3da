import { resolve } from "node:path";
import { nameOf } from "../../history/snapshot/IndexManifest.ts";
import { importIndex } from "../../history/snapshot/importIndex.ts";
import { migrate } from "../../history/store/migrate/migrate.ts";
import { claimNetwork } from "../../history/store/schema/indexFacts.ts";
import { systemRandom } from "../../lib/random.ts";
import type { Terminal } from "../Command.ts";
import type { AppConfig } from "../config.ts";
import { makeDataFolder } from "../dataFolder.ts";
import { AppError } from "../errors.ts";
import { indexLocation } from "../networks/indexLocation.ts";
import { indexScope } from "../networks/indexScope.ts";
import { chainModules, formatComparison } from "../service/index/verifyNetwork.ts";
import { openModules } from "../service/indexNetworks.ts";
import { Closers } from "../service/parts/Closers.ts";
import { openLocation } from "../service/parts/openIndexDatabase.ts";
import { openPlanned } from "../start/serve.ts";
import { planOne } from "./exportFolder.ts";

export interface ImportSource {
  readonly folder: string;
  /** Masterchain blocks, and accounts of each kind, that are compared with the chain. */
  readonly sample: number;
}

/** Loads an exported index into the database of a network; throws "app/problems" when the chain says otherwise. */
export async function importFolder(
  config: AppConfig,
  { folder, sample }: ImportSource,
  terminal: Terminal,
): Promise<void> {
  const plan = planOne(config, "import");
  makeDataFolder(config.data);
  const closers = new Closers();
  const stop = new AbortController();
  try {
    const modules = await openModules(config, terminal, closers);
    const network = await openPlanned(plan, modules);
    closers.add("network", () => network.close());
    const { rootHash } = network.zeroState;
    const database = await openLocation(indexLocation(config, plan), modules, rootHash);
    closers.add("database", () => database.close());
    await migrate(database, modules);
    await claimNetwork(database, rootHash);
    const chain = chainModules(network, modules, stop.signal);
    const report = await importIndex(
      { ...chain, database, random: systemRandom },
      resolve(folder),
      {
        ...{ network: rootHash, sample, scope: indexScope(config, network) },
        onFile: (file, done, total) => terminal.write(`${done} of ${total}: ${nameOf(file)}, ${file.rows} rows\n`),
        onVerify: () => terminal.write("all files are loaded; comparing a sample with the chain\n"),
      },
      stop.signal,
    );
    terminal.write(`${formatComparison(plan.name, report).join("\n")}\n`);
    const problems = report.differences.length;
    if (problems > 0) {
      throw new AppError(
        "app/problems",
        `${problems} imported rows differ from the chain: do not use this export; tongate db rebuild removes it`,
      );
    }
    terminal.write(`${plan.name}: imported the index\n`);
  } finally {
    stop.abort();
    await closers.close();
  }
}
