import { BaseSequencer, type TestSpecification } from "vitest/node";
import { longestFiles } from "./longestFiles.ts";

/** The project whose files run in their own processes. */
export const aloneName = "alone";

/**
 * Slow files run first, so that no worker ends the run with one of them. Files that need their own process run last,
 * because each of them ends a worker.
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
  const place = longestFiles.findIndex((name) => moduleId.endsWith(`/test/${name}.test.ts`));
  const late = project.name === aloneName ? 100_000 : 0;
  return late + (place < 0 ? longestFiles.length + index : place);
}
