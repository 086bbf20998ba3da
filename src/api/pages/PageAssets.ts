import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { PageFile } from "./PageFile.ts";

/** What was built for the pages that the server itself writes. */
export interface PageAssets {
  /** Fills the fields of the API pages with values that exist. */
  readonly apiPage: string;
  /** Keeps the start page up to date. */
  readonly landing: string;
  /** Swagger UI, which the API pages are made with; absent where it was not built. */
  readonly swaggerUi: SwaggerUi | undefined;
}

/** The files of Swagger UI by their names. */
export type SwaggerUi = ReadonlyMap<string, PageFile>;

const swaggerNames = ["swagger-ui-bundle.js", "swagger-ui.css"];

/** Reads the files of Swagger UI from a folder; undefined when it lacks one. */
export function findSwaggerUi(folder: string): SwaggerUi | undefined {
  if (!swaggerNames.every((name) => existsSync(join(folder, name)))) return undefined;
  return new Map(swaggerNames.map((name) => [name, new PageFile(name, readFileSync(join(folder, name)))]));
}
