import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { PageFile } from "./PageFile.ts";

/** What was built for browsers: the explorer, and parts of the pages that the server itself writes. */
export interface PageAssets {
  /** Fills the fields of the API pages with values that exist. */
  readonly apiPage: string;
  /** Keeps the start page up to date. */
  readonly landing: string;
  /** Swagger UI, which the API pages are made with; absent where it was not built. */
  readonly swaggerUi: SwaggerUi | undefined;
  /** The HTML of the explorer; absent where it was not built. */
  readonly shell: PageFile | undefined;
  /** The files of the explorer by path below its base. */
  readonly explorer: ReadonlyMap<string, PageFile>;
}

/** Reads the assets when the first page is asked for: most services never serve one. */
export type LoadAssets = () => Promise<PageAssets>;

/** The files of Swagger UI by their names. */
export type SwaggerUi = ReadonlyMap<string, PageFile>;

export const swaggerNames: readonly string[] = ["swagger-ui-bundle.js", "swagger-ui.css"];

/** Reads the whole folder of what was built, which is small; nothing outside of it can be named by a request. */
export function readPageAssets(folder: string): PageAssets {
  const shell = join(folder, "index.html");
  return {
    apiPage: readScript(folder, "api-page.js"),
    landing: readScript(folder, "landing.js"),
    swaggerUi: findSwaggerUi(join(folder, "swagger-ui")),
    shell: existsSync(shell) ? new PageFile("index.html", readFileSync(shell)) : undefined,
    explorer: new Map(listExplorer(folder)),
  };
}

/** Reads the files of Swagger UI from a folder; undefined when it lacks one. */
export function findSwaggerUi(folder: string): SwaggerUi | undefined {
  if (!swaggerNames.every((name) => existsSync(join(folder, name)))) return undefined;
  return new Map(swaggerNames.map((name) => [name, new PageFile(name, readFileSync(join(folder, name)))]));
}

function readScript(folder: string, name: string): string {
  const path = join(folder, name);
  return existsSync(path) ? readFileSync(path, "utf8") : "";
}

/** Assets have the hash of their content in their names, so a name never changes its content. */
function listExplorer(folder: string): (readonly [path: string, file: PageFile])[] {
  const inside = join(folder, "assets");
  if (!existsSync(inside)) return [];
  return readdirSync(inside).map((name) => [`/assets/${name}`, new PageFile(name, readFileSync(join(inside, name)))]);
}
