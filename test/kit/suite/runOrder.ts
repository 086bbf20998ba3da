import { BaseSequencer, type TestSpecification } from "vitest/node";
import { longestFiles } from "./longestFiles.ts";

/** The name of the project whose files share nothing with others. */
export const aloneName = "alone";

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
  const place = longestFiles.findIndex((name) => moduleId.endsWith(`/test/${name}.test.ts`));
  const late = project.name === aloneName ? 100_000 : 0;
  return late + (place < 0 ? longestFiles.length + index : place);
}
