import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ExplorerPages } from "../api/pages/ExplorerPages.ts";
import { findSwaggerUi, type PageAssets } from "../api/pages/PageAssets.ts";
import type { AppConfig } from "./config.ts";
import { readPackageFacts } from "./packageFacts.ts";
import type { OpenNetwork } from "./service/OpenNetwork.ts";

/** The folder of the built explorer: beside the compiled program, or in its build folder when it runs from sources. */
const folders = ["../web/", "../../dist/web/"].map((path) => fileURLToPath(new URL(path, import.meta.url)));

function findFolder(): string {
  return folders.find((each) => existsSync(each)) ?? folders[0] ?? "";
}

/** The assets of pages that the server writes; empty if not built. */
export function readPageAssets(): PageAssets {
  const swaggerUi = findSwaggerUi(join(findFolder(), "swagger-ui"));
  return { apiPage: readScript("api-page.js"), landing: readScript("landing.js"), swaggerUi };
}

/** They are plain scripts: declarations must not become global. */
function readScript(name: string): string {
  const path = join(findFolder(), name);
  return existsSync(path) ? `(() => {${readFileSync(path, "utf8")}})();\n` : "";
}

/** The explorer of a network; by default of local networks with an index. */
export function openExplorer(
  { explorer }: Pick<AppConfig, "explorer">,
  { name, local }: Pick<OpenNetwork, "name" | "local">,
  paths: readonly string[],
): ExplorerPages | undefined {
  const has = (path: string) => paths.includes(path);
  const isUsual = local !== undefined && has("/api/v3");
  if (explorer === "off" || (explorer === "auto" && !isUsual)) return undefined;
  return new ExplorerPages(findFolder(), {
    network: local === undefined ? name : "Local network",
    local: local !== undefined,
    streaming: has("/api/streaming/v2/sse"),
    emulate: has("/api/emulate/v1"),
    version: readPackageFacts().version,
  });
}
