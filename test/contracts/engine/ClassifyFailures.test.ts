import { expect, it } from "vitest";
import { ClassifyFailures } from "../../../src/contracts/engine/ClassifyFailures.ts";
import type { Log, LogData } from "../../../src/lib/log.ts";
import { hashToBase64, parseHash } from "../../../src/model/Hash.ts";

it("logs every failure with the matcher and the trace, and counts by matcher", () => {
  const lines: { readonly message: string; readonly data: LogData | undefined }[] = [];
  const refuse = () => {
    throw new Error("only errors are logged");
  };
  const log: Log = {
    debug: refuse,
    info: refuse,
    warn: refuse,
    error: (message, data) => void lines.push({ message, data }),
    child: () => log,
  };
  const failures = new ClassifyFailures(log);
  const [trace, error] = [parseHash("ab".repeat(32)), new TypeError("a mistake")];
  failures.report(trace, []);
  failures.report(trace, [
    { matcher: "nft_mint", error },
    { matcher: "subscribe", error },
  ]);
  failures.report(trace, [{ matcher: "nft_mint", error }]);
  expect(lines).toEqual(
    ["nft_mint", "subscribe", "nft_mint"].map((matcher) => ({
      message: "a matcher failed",
      data: { matcher, trace: hashToBase64(trace), error },
    })),
  );
  expect(failures.counts()).toEqual({ nft_mint: 2, subscribe: 1 });
});
