import { expect, it } from "vitest";
import { remoteChecks } from "../../../../src/app/service/remote/remoteHealth.ts";
import type { PoolStatus, ServerStatus } from "../../../../src/lite/pool/status.ts";
import { ManualClock } from "../../../kit/suite/ManualClock.ts";

const never = new AbortController().signal;

/** The readiness report about unusable servers. */
async function judge(...servers: readonly Pick<ServerStatus, "name" | "access" | "unusedBecause">[]) {
  const status = { head: undefined, servers: servers.map((each) => ({ ...each, state: { kind: "down" } })) };
  const pool = { status: () => status as unknown as PoolStatus };
  const checks = remoteChecks(pool, { clock: new ManualClock(), maxHeadAgeMs: 1_000 });
  const judged = checks.map(async ({ name, check }) => [
    name,
    await Promise.resolve()
      .then(() => check(never))
      .catch((error: Error) => error.message),
  ]);
  return Object.fromEntries(await Promise.all(judged));
}

const open = { name: "lite.example:1", access: "public", unusedBecause: "connection refused" } as const;
const hidden = { name: "secret.example:2", access: "private", unusedBecause: "10.0.0.1 does not answer" } as const;

it("readiness names public servers with their reasons, and only counts private ones", async () => {
  expect(await judge(open, hidden, { ...hidden, name: "secret.example:3" })).toEqual({
    head: "no head is proved yet: lite.example:1: connection refused; 2 private",
    "lite servers": "none in use: lite.example:1: connection refused; 2 private",
  });
  expect(await judge(hidden)).toEqual({
    head: "no head is proved yet: 1 private",
    "lite servers": "none in use: 1 private",
  });
});
