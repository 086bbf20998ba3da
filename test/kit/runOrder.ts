import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** The name of the project whose files share nothing with others. */
export const aloneName = "alone";

/** What changes modules for whoever imports them afterwards. */
const changesModules = /\bvi\.(?:mock|doMock|resetModules)\(/;

/** Test files that change modules: each of them needs a process of its own. */
export function listAlone(root: string): string[] {
  const paths = readdirSync(join(root, "test"), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".test.ts"))
    .map((path) => join("test", path));
  return paths.filter((path) => changesModules.test(readFileSync(join(root, path), "utf8"))).sort();
}

/** Files that take the longest, the longest first; only the order of magnitude matters. */
const longest = [
  "history/ingest/faults",
  "flows/historyKilled",
  "corpus/v3-realnet",
  "localnet/traffic",
  "corpus/history-index",
  "flows/historyFullDisk",
  "contracts/classify",
  "flows/index",
  "corpus/v2-golden",
  "corpus/cell-boc",
  "api/v3/endpoints",
  "history/ingest/faultsEach",
  "flows/tonCenterV3",
  "localnet/killed",
  "history/store/commit",
  "history/store/embedded/openEmbedded",
  "api/v3/fuzz",
  "flows/history",
  "flows/sharedDatabase",
  "corpus/lite-proofs",
  "corpus/tvm-realnet",
  "api/v3/filters",
  "api/fuzzChain",
  "lite/poolFaults",
  "corpus/localnet-collate",
  "flows/blueprint",
  "flows/historyDatabase",
  "corpus/model-stack",
  "corpus/history-ingest",
  "corpus/tvm-vectors",
  "lite/queries/lies",
  "flows/serve",
];

/**
 * The longest files come first, so that no worker is left with one of them at the end; those that need a process of
 * their own come last, because a worker is given up when one of them is next.
 */
export class RunOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const usual = await super.sort(files);
    return usual
      .map((file, index) => ({ file, rank: rankOf(file, index) }))
      .sort((a, b) => a.rank - b.rank)
      .map(({ file }) => file);
  }
}

function rankOf({ moduleId, project }: TestSpecification, index: number): number {
  const place = longest.findIndex((name) => moduleId.endsWith(`/test/${name}.test.ts`));
  const late = project.name === aloneName ? 100_000 : 0;
  return late + (place < 0 ? longest.length + index : place);
}
