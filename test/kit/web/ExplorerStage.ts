import type { Browser } from "playwright-core";
import { openBrowser } from "../../../kit/suite/openBrowser.ts";
import { type StartedService, startService } from "../app/startedService.ts";
import { buildExplorer } from "./buildExplorer.ts";
import { LocalActs, until } from "./localActs.ts";

/** A browser before the explorer of a local network whose demo set is indexed. */
export interface ExplorerStage {
  readonly browser: Browser;
  readonly service: StartedService;
  readonly acts: LocalActs;
  /** The trace of a jetton transfer, in hex as in addresses of pages. */
  readonly trace: string;
  close(): Promise<void>;
}

export async function openExplorerStage(): Promise<ExplorerStage> {
  await buildExplorer();
  const options = { flags: ["--explorer", "on"], engine: "postgres" } as const;
  const [browser, service] = await Promise.all([openBrowser(), startService(options)]);
  const acts = await LocalActs.open(service);
  const findTransfers = async (): Promise<readonly { readonly trace_id: string }[]> =>
    Object(await acts.ask("/api/v3/actions?action_type=jetton_transfer&limit=1")).actions ?? [];
  await until(async () => (await findTransfers()).length > 0);
  const close = async (): Promise<void> => {
    await browser.close();
    await service.close();
  };
  return { browser, service, acts, trace: hexOf((await findTransfers())[0]?.trace_id ?? ""), close };
}

/** A hash of an answer as addresses of pages have it. */
export function hexOf(hash: string): string {
  return Buffer.from(hash, "base64").toString("hex");
}
