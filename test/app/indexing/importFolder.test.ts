import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { loadConfig } from "../../../src/app/config.ts";
import { exportFolder, planOne } from "../../../src/app/indexing/exportFolder.ts";
import { importFolder } from "../../../src/app/indexing/importFolder.ts";
import { indexLocation } from "../../../src/app/networks/indexLocation.ts";
import { startService } from "../../kit/app/startedService.ts";
import { recordTerminal } from "../../kit/suite/recordTerminal.ts";
import "../../kit/suite/longRun.ts";

it("an index that is exported, deleted and imported answers as before", async () => {
  const folder = mkdtempSync(join(tmpdir(), "tongate-import-"));
  const files = join(folder, "files");
  try {
    const first = await startService({ folder });
    const jettons = async ({ origin }: { readonly origin: string }) => {
      await expect.poll(async () => (await fetch(`${origin}/readyz`)).status, { timeout: 300_000 }).toBe(200);
      // The service is ready before the index has the blocks of the demo set: wait until it has the chain's head.
      const head = await masterchainSeqno(`${origin}/api/v2/getMasterchainInfo`);
      await expect
        .poll(() => masterchainSeqno(`${origin}/api/v3/masterchainInfo`), { timeout: 300_000 })
        .toBeGreaterThanOrEqual(head);
      return (await fetch(`${origin}/api/v3/jetton/masters`)).json();
    };
    const before = await jettons(first);
    await first.close();
    const flags = ["--data", folder, "--log-level", "error"];
    const { config } = loadConfig(flags, { environment: {}, findFile: () => undefined });
    const [exporting, importing] = [recordTerminal(), recordTerminal()];
    await exportFolder(config, files, exporting);
    expect(exporting.written()).toMatch(/exported \d+ rows in \d+ files, up to block \d+, into /);
    await expect(exportFolder(config, files, exporting)).rejects.toMatchObject({ code: "app/usage" });

    const location = indexLocation(config, planOne(config, "export"));
    const index = location.kind === "embedded" ? location.folder : "";
    expect(existsSync(index)).toBe(true);
    rmSync(index, { recursive: true });
    await importFolder(config, { folder: files, sample: 5 }, importing);
    expect(importing.written()).toMatch(/0 differences\n.*imported the index\n$/);

    const again = await startService({ folder });
    expect(await jettons(again)).toEqual(before);
    await again.close();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

/** The seqno of the last masterchain block in an answer of v2 or v3. */
async function masterchainSeqno(url: string): Promise<number> {
  const answer = (await (await fetch(url)).json()) as { last: { seqno: number }; result?: { last: { seqno: number } } };
  return (answer.result ?? answer).last.seqno;
}
