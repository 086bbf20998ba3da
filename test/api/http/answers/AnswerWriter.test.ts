import { expect, it } from "vitest";
import { makeAnswers } from "../../../../src/api/http/answers/Answers.ts";
import { defaultAnswerLimits } from "../../../../src/api/http/answers/AnswerWriter.ts";
import { bytesOfPiece } from "../../../../src/api/http/answers/byteText.ts";
import { stackItems } from "../../../../src/api/v4/shapes/stack.ts";
import { deferJson } from "../../../../src/lib/kit/deferredJson.ts";
import type { VmStack } from "../../../../src/model/vm/VmStack.ts";
import { makeCellTree } from "../../../kit/cell/cellTrees.ts";
import { ManualClock } from "../../../kit/suite/ManualClock.ts";
import { refusalCode } from "../../../kit/suite/refusal.ts";

const owner = { caller: "", signal: () => new AbortController().signal };
const around = { before: '{"result":', after: ',"proof":{', long: '"é":1', end: "}}" };

it("writes what is written already around a value, at once and in steps", async () => {
  const { writer } = makeAnswers(defaultAnswerLimits, new ManualClock());
  const inSteps = () =>
    deferJson(function* (sink) {
      sink.add('["ü"]');
      yield;
    });
  for (const a of [["ü"], inSteps]) {
    const pieces = await writer.write(() => ({ a: typeof a === "function" ? a() : a }), owner, around);
    // A character of a piece is a byte.
    expect(Buffer.from(pieces.join(""), "latin1").toString()).toBe('{"result":{"a":["ü"]},"proof":{"é":1}}');
  }
});

it("has a text that is written already as a piece of its own, and pieces of a usual size of a long one", async () => {
  const { writer } = makeAnswers(defaultAnswerLimits, new ManualClock());
  const long = "x".repeat(1 << 17);
  const piecesOf = async (text: string) => [...(await writer.write(() => "a", owner, { ...around, long: text }))];
  expect(await piecesOf("text")).toEqual(['{"result":"a","proof":{', "text", "}}"]);
  expect(await piecesOf(long)).toEqual([
    ...['{"result":"a","proof":{', long.slice(0, 1 << 16), long.slice(1 << 16), "}}"],
  ]);
});

it("has a large answer in bytes of a usual size, and a shorter one in one text", async () => {
  const { writer } = makeAnswers(defaultAnswerLimits, new ManualClock());
  const write = (parts: number) =>
    writer.write(
      () =>
        deferJson(function* (sink) {
          sink.add('"');
          for (let part = 0; part < parts; part++) {
            sink.add("é".repeat(1_000));
            yield;
          }
          sink.add('"');
        }),
      owner,
    );
  for (const parts of [10, 100, 1_000]) {
    const pieces = await write(parts);
    expect(Buffer.concat(pieces.map(bytesOfPiece)).toString()).toBe(`"${"é".repeat(parts * 1_000)}"`);
    if (parts < 1_000) expect(pieces.map((piece) => typeof piece)).toEqual(["string"]);
    else expect(pieces.every((piece) => typeof piece !== "string" && piece.length < 1 << 17)).toBe(true);
  }
});

it("refuses a stack that is too large before it takes the memory of answers", async () => {
  const bag = { kind: "cell", cell: makeCellTree(100, 1) } as const;
  const stackOf = (places: number): VmStack => [{ kind: "tuple", items: Array.from({ length: places }, () => bag) }];
  let highest = 0;
  let reserved = 0;
  const memory = {
    reserve: (bytes: number) => {
      reserved += bytes;
      highest = Math.max(highest, reserved);
    },
    release: (bytes: number) => {
      reserved -= bytes;
    },
  };
  const { writer } = makeAnswers({ ...defaultAnswerLimits, maxStackBytes: 1 << 20 }, new ManualClock());
  const write = async (places: number) => writer.write(() => stackItems.encode(stackOf(places)), { ...owner, memory });
  await write(255);
  expect(highest).toBeGreaterThan(1 << 18);
  highest = 0;
  await expect(write(2_550)).rejects.toMatchObject({ code: "api/answer-size" });
  expect([highest, reserved]).toEqual([0, 0]);
});

it("counts what is around a value in the limit of an answer", () => {
  const { writer } = makeAnswers({ ...defaultAnswerLimits, maxAnswerBytes: 20 }, new ManualClock());
  expect(String(writer.write(() => "a", owner))).toBe('"a"');
  expect(refusalCode(() => void writer.write(() => "a", owner, around))).toBe("api/answer-size");
});
