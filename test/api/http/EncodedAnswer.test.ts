import { gunzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { AnswerNotes } from "../../../src/api/declare/AnswerNotes.ts";
import { type ByteText, toByteText } from "../../../src/api/http/answers/byteText.ts";
import { CancelToken } from "../../../src/api/http/answers/CancelToken.ts";
import { closeGzip } from "../../../src/api/http/answers/gzip.ts";
import { EncodedAnswer } from "../../../src/api/http/EncodedAnswer.ts";

const beginning = toByteText("[");
const pieces = Array.from({ length: 50 }, (_, at) => toByteText(`"${String(at).repeat(20_000)}",`));
const left = new Error("left");

function pack(answer: EncodedAnswer, client: CancelToken): Promise<string> {
  return answer
    .packed(beginning, () => client)
    .then((open) => {
      const parts = closeGzip(open, "0]" as ByteText);
      return gunzipSync(Buffer.concat(parts)).toString("latin1");
    });
}

const whole = `[${pieces.join("")}0]`;

it("is compressed for those who stay", async () => {
  const answer = new EncodedAnswer(pieces, new AnswerNotes());
  const [leaving, staying] = [new CancelToken(), new CancelToken()];
  const [first, second] = [pack(answer, leaving), pack(answer, staying)];
  leaving.cancel(left);
  await expect(first).rejects.toBe(left);
  expect(await second).toBe(whole);
});

it("is not compressed further when all clients have left, and from its beginning for a later one", async () => {
  let begun = 0;
  const counted = new Proxy(pieces, {
    get: (target, name, receiver) => {
      if (name === Symbol.iterator) begun += 1;
      return Reflect.get(target, name, receiver);
    },
  });
  const answer = new EncodedAnswer(counted, new AnswerNotes());
  const clients = [new CancelToken(), new CancelToken()];
  const packing = clients.map((client) => pack(answer, client));
  const refused = Promise.all(packing.map((each) => expect(each).rejects.toBe(left)));
  expect(begun).toBe(1);
  for (const client of clients) client.cancel(left);
  await refused;
  expect(await pack(answer, new CancelToken())).toBe(whole);
  expect(await pack(answer, clients[0] ?? new CancelToken())).toBe(whole);
  expect(begun).toBe(2);
});

it("copies nothing of several pieces when it is kept: answers share the text of a long proof", () => {
  const [proof] = pieces;
  const answer = new EncodedAnswer(
    [toByteText('{"result":1,'), proof ?? beginning, toByteText("}")],
    new AnswerNotes(),
  );
  expect(answer.owned()).toBe(answer);
  const single = new EncodedAnswer([beginning], new AnswerNotes());
  expect(single.owned()).not.toBe(single);
  expect(single.owned().pieces).toEqual([beginning]);
});
