import { isCoded } from "../../../src/lib/errors.ts";

/** The code of the error that `work` throws; fails the test if it throws none. */
export function refusalCode(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (isCoded(error)) return error.code;
    throw error;
  }
  throw new Error("no error was thrown");
}
