import { basename } from "node:path";
import { listFiles, readJson, readJsonLinesGz } from "../../../kit/suite/corpus.ts";
import type { TraceCase } from "./compareCase.ts";

/** The recorded traces of a part of the corpus, one per file. */
export function* readRecordedCases(
  folder: string,
  part: "traces" | "traces-additions" = "traces",
): Generator<TraceCase & { readonly name: string }> {
  for (const file of listFiles(folder, part, ".json").filter((path) => path.includes("--")))
    yield { ...(readJson(folder, file) as TraceCase), name: basename(file, ".json") };
}

/** The mutated traces, one per line. */
export function* readVariedCases(folder: string): Generator<TraceCase> {
  for (const file of listFiles(folder, "traces-varied", ".jsonl.gz"))
    for (const line of readJsonLinesGz(folder, file)) yield line as TraceCase;
}
