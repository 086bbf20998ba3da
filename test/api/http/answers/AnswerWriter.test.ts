import { expect, it } from "vitest";
import { makeAnswers } from "../../../../src/api/http/answers/Answers.ts";
import { defaultAnswerLimits } from "../../../../src/api/http/answers/AnswerWriter.ts";
import { deferJson } from "../../../../src/lib/kit/deferredJson.ts";
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

it("counts what is around a value in the limit of an answer", () => {
  const { writer } = makeAnswers({ ...defaultAnswerLimits, maxAnswerBytes: 20 }, new ManualClock());
  expect(String(writer.write(() => "a", owner))).toBe('"a"');
  expect(refusalCode(() => void writer.write(() => "a", owner, around))).toBe("api/answer-size");
});
