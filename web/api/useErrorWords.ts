import { useEffect, useState } from "preact/hooks";
import type { Ask } from "./ask.ts";
import { askContract, hasErrors, listFailing } from "./contract.ts";
import { AskError, run } from "./run.ts";
import type { Transaction } from "./types.ts";

/** Loads the words that contracts have for their exit codes, and gives the requests. */
export function useErrorWords(transactions: readonly Transaction[]): readonly Ask<unknown>[] {
  const failing = listFailing(transactions);
  const [, setLoaded] = useState("");
  const key = failing.filter((account) => !hasErrors(account)).join();
  useEffect(() => {
    const wanted = key === "" ? [] : key.split(",");
    let isGone = false;
    void Promise.all(wanted.map(learnErrors)).then(() => {
      if (!isGone) setLoaded(key);
    });
    return () => {
      isGone = true;
    };
  }, [key]);
  return failing.map(askContract);
}

async function learnErrors(account: string): Promise<void> {
  try {
    await run(askContract(account));
  } catch (error) {
    // The code is still shown by its number.
    if (!(error instanceof AskError)) throw error;
  }
}
