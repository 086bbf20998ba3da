import { expect, it } from "vitest";
import { Closers } from "../../../src/app/service/Closers.ts";

it("what was opened is closed in reverse, all of it, and once; the first failure is told", async () => {
  const closed: string[] = [];
  const closers = new Closers();
  for (const name of ["a", "b", "c"])
    closers.add(async () => {
      closed.push(name);
      if (name !== "a") throw new Error(name);
    });
  await expect(closers.close()).rejects.toThrow("c");
  await closers.close();
  expect(closed).toEqual(["c", "b", "a"]);
});
