import { expect, it } from "vitest";
import { Closers, openTogether } from "../../../src/app/service/Closers.ts";

it("what was opened is closed in reverse, all of it, and once; the first failure is thrown", async () => {
  const closed: string[] = [];
  const closers = new Closers();
  for (const name of ["a", "b", "c"]) {
    closers.add(async () => {
      closed.push(name);
      if (name !== "a") throw new Error(name);
    });
  }
  await expect(closers.close()).rejects.toThrow("c");
  await closers.close();
  expect(closed).toEqual(["c", "b", "a"]);
});

it("what was opened before something that cannot be is closed again, and what was opened as a whole stays open", async () => {
  const closed: string[] = [];
  const open = (last: () => string) =>
    openTogether(async (closers) => {
      closers.add(async () => void closed.push("first"));
      return last();
    });
  expect([await open(() => "open"), closed]).toEqual(["open", []]);
  const refuse = () => {
    throw new Error("no room");
  };
  await expect(open(refuse)).rejects.toThrow("no room");
  expect(closed).toEqual(["first"]);
});
