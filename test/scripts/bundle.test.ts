import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it } from "vitest";

interface Chunk {
  readonly fileName: string;
  readonly imports?: readonly string[];
}

const path = pathToFileURL(join(import.meta.dirname, "../../scripts/bundle.mjs")).href;
const { refuseCircles }: { refuseCircles(chunks: readonly Chunk[]): void } = await import(path);

it("refuses chunks that import each other in a circle, and no others", () => {
  const shared = { fileName: "shared.js", imports: ["cells.js"] };
  const cells = { fileName: "cells.js", imports: ["node:crypto"] };
  const first = { fileName: "first.js", imports: ["cells.js", "shared.js"] };
  const text = { fileName: "page.css" };
  expect(() => refuseCircles([first, shared, cells, text])).not.toThrow();
  expect(() => refuseCircles([first, shared, { ...cells, imports: ["first.js"] }])).toThrow(
    "chunks import each other: first.js → cells.js → first.js",
  );
});
