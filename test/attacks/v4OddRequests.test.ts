import { afterAll, beforeAll, expect, it } from "vitest";
import { v4Endpoints } from "../../src/api/v4/envelope.ts";
import { type StartedService, startService } from "../kit/app/startedService.ts";
import { someOf } from "../kit/suite/everything.ts";

let service: StartedService;
beforeAll(async () => {
  service = await startService({ flags: ["--demo", "off", "--no-index", "--block-ms", "300"] });
});
afterAll(() => service.close());

/** Odd but well-formed values of every argument in a path. */
function valuesOf(name: string): readonly string[] {
  const zero = "0".repeat(64);
  const values: Readonly<Record<string, readonly string[]>> = {
    seqno: ["0", "1", "2", "3", "4294967295"],
    utime: ["0", "1", "1700000000", "4294967295"],
    address: [service.wallet("v4r2").address, `0:${zero}`, `-1:${"3".repeat(64)}`, `5:${zero}`, `-1:${zero}`],
    lt: ["0", "1", "18446744073709551615"],
    hash: [zero, "A".repeat(43)],
    method: ["seqno", "0", "-1", "%00", "nothing"],
    args: ["te6cckEBAQEAAgAAAEysuc0", "AAAA", "te6cc"],
    ids: ["0", "-1", "2147483647", "34,34"],
  };
  return values[name] ?? ["1"];
}

function pathsOf(template: string): readonly string[] {
  const [found, name] = /\{(\w+)\}/.exec(template) ?? [];
  if (found === undefined || name === undefined) return [template];
  return valuesOf(name).flatMap((value) => pathsOf(template.replace(found, encodeURI(value))));
}

it("no well-formed request of v4 ends as a fault of the server", async () => {
  const failed: string[] = [];
  for (const { path } of v4Endpoints) {
    const paths = pathsOf(path);
    // Every value is tried; in the ordinary run not with every other one.
    for (const each of someOf(paths, (_, at) => paths.length < 30 || at % 7 === 0)) {
      const response = await fetch(`${service.origin}/api/v4/${each}`);
      const text = await response.text();
      if (response.status === 500) failed.push(`${each}: ${text}`);
    }
  }
  for (const boc of ["te6cckEBAQEAAgAAAEysuc0=", "AAAA", ""]) {
    const body = JSON.stringify({ boc });
    const headers = { "content-type": "application/json" };
    const response = await fetch(`${service.origin}/api/v4/send`, { method: "POST", headers, body });
    if (response.status === 500) failed.push(`send ${boc}: ${await response.text()}`);
  }
  expect(failed).toEqual([]);
});

it("reports an account before the first block of its shard as absent from all servers", async () => {
  const { address } = service.wallet("v4r2");
  const response = await fetch(`${service.origin}/api/v4/block/1/${address}`);
  expect([response.status, await response.json()]).toEqual([
    404,
    { error: expect.stringContaining("no lite server has it: "), code: 404 },
  ]);
});
