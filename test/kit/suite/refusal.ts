import { isCoded } from "../../../src/lib/errors.ts";

/** The code of the error that the work throws; anything else it does is a failure of the test. */
export function refusalCode(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (isCoded(error)) return error.code;
    throw error;
  }
  throw new Error("nothing was refused");
}
