import { expect, it } from "vitest";
import { Closers, openTogether } from "../../../../src/app/service/parts/Closers.ts";

it("closes everything in reverse, once; throws the first failure", async () => {
  const closed: string[] = [];
  const closers = new Closers();
  for (const name of ["a", "b", "c"]) {
    closers.add("part", async () => {
      closed.push(name);
      if (name !== "a") throw new Error(name);
    });
  }
  await expect(closers.close()).rejects.toThrow("c");
  await closers.close();
  expect(closed).toEqual(["c", "b", "a"]);
});

it("closes earlier parts if one cannot be opened, and keeps complete ones open", async () => {
  const closed: string[] = [];
  const open = (last: () => string) =>
    openTogether(async (closers) => {
      closers.add("part", async () => void closed.push("first"));
      return last();
    });
  expect([await open(() => "open"), closed]).toEqual(["open", []]);
  const refuse = () => {
    throw new Error("no room");
  };
  await expect(open(refuse)).rejects.toThrow("no room");
  expect(closed).toEqual(["first"]);
});
