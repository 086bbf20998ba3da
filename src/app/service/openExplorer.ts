import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { ExplorerPages, offPages } from "../../api/pages/ExplorerPages.ts";
import { type LoadAssets, type PageAssets, readPageAssets } from "../../api/pages/PageAssets.ts";
import type { Log } from "../../lib/log.ts";
import type { AppConfig } from "../config.ts";
import type { NetworkPlan } from "../NetworkPlan.ts";
import { readPackageFacts } from "../packageFacts.ts";
import type { OpenNetwork } from "./parts/OpenNetwork.ts";

/** What is built for browsers: beside the compiled program, or in its build folder when it runs from sources. */
const folders = ["../../web/", "../../../dist/web/"].map((path) => fileURLToPath(new URL(path, import.meta.url)));

/** The program of a clone that builds it; the package has no such file and is built already. */
const builder = fileURLToPath(new URL("../../../scripts/pages.mjs", import.meta.url));

function findFolder(): string {
  return folders.find((each) => existsSync(each)) ?? folders[0] ?? "";
}

/** Loads what is built for browsers, once; a clone that `npm start` runs builds it for the first page. */
export function makeAssetLoader(log: Log): LoadAssets {
  let loaded: PageAssets | undefined;
  let building: Promise<void> | undefined;
  const load = async (): Promise<PageAssets> => {
    if (isBuildable() && !existsSync(findFolder())) {
      building ??= buildPages(log);
      await building;
      building = undefined;
    }
    const pageAssets = readPageAssets(findFolder());
    if (pageAssets.shell !== undefined) loaded = pageAssets;
    return pageAssets;
  };
  return async () => loaded ?? load();
}

/** Sources that run uncompiled are those of a test, which builds what it needs. */
function isBuildable(): boolean {
  return import.meta.url.endsWith(".js") && existsSync(builder);
}

/** Resolves when the builder has ended, well or not: without its files the pages say that they are not built. */
function buildPages(log: Log): Promise<void> {
  const child = spawn(process.execPath, [builder], { stdio: ["ignore", "ignore", "inherit"] });
  return new Promise((resolve) => {
    child.on("error", (error) => {
      log.error("the pages could not be built", { cause: error.message });
      resolve();
    });
    child.on("close", (code) => {
      if (code !== 0) log.error("the pages could not be built", { exitCode: code });
      resolve();
    });
  });
}

/** The explorer of a network, or pages that say why there is none. */
export interface OpenExplorer extends Pick<ExplorerPages, "handle"> {
  readonly isOn: boolean;
}

/** The explorer of a network; by default of local networks with an index. */
export function openExplorer(
  { explorer }: Pick<AppConfig, "explorer">,
  { name, local, coin }: Pick<OpenNetwork, "name" | "local"> & Pick<NetworkPlan, "coin">,
  paths: readonly string[],
  load: LoadAssets,
): OpenExplorer {
  const has = (path: string) => paths.includes(path);
  const reason = explorer === "on" ? undefined : findReason(explorer, local !== undefined, has("/api/v3"));
  if (reason !== undefined) return { isOn: false, ...offPages(`The explorer is off: ${reason}.`) };
  const pages = new ExplorerPages(load, {
    network: local === undefined ? name : "Local network",
    local: local !== undefined,
    coin,
    streaming: has("/api/streaming/v2/sse"),
    emulate: has("/api/emulate/v1"),
    version: readPackageFacts().version,
  });
  return { isOn: true, handle: (request, response) => pages.handle(request, response) };
}

/** Why there is no explorer, and how to switch it on. */
function findReason(explorer: "auto" | "off", isLocal: boolean, hasIndex: boolean): string | undefined {
  if (explorer === "off") return "this server was started with --explorer off. Start it with --explorer on";
  if (!hasIndex)
    return `this server has no index (--no-index). Start it without --no-index${isLocal ? "" : ", and with --explorer on"}`;
  return isLocal ? undefined : "only local networks have one by default. Start this server with --explorer on";
}
