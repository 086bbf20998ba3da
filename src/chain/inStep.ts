import { isCoded } from "../lib/errors.ts";
import { LiteError } from "../lite/errors.ts";

/** A named part of a longer query; a server's error gets the name, so that answers can say which part failed. */
export type Step = "from-block" | "shards-at-lt";

/** Adds the step to a server's error; other errors are clear by themselves. */
export async function inStep<T>(step: Step, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!isCoded(error, "lite/server")) throw error;
    throw new LiteError("lite/server", error.message, { data: { ...error.data, step }, cause: error });
  }
}
