import { isCoded } from "../lib/errors.ts";
import { LiteError } from "../lite/errors.ts";

/** A part of a longer query; a server's error bears it, so that answers can tell what could not be found out. */
export type Step = "from-block" | "shards-at-lt";

/** Names the step in a server's error; whatever else fails says enough by itself. */
export async function inStep<T>(step: Step, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!isCoded(error, "lite/server")) throw error;
    throw new LiteError("lite/server", error.message, { data: { ...error.data, step }, cause: error });
  }
}
