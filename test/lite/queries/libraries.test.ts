import { describe, expect, it } from "vitest";
import { checkLibraries, fetchLibraries } from "../../../kit/lite/queries/unprovenLibraries.ts";
import { blockIdFromTl } from "../../../src/lite/queries/ids.ts";
import { checkLibrariesWithProof, fetchLibrariesWithProof } from "../../../src/lite/queries/libraries.ts";
import { getConfigAll, getLibraries, getLibrariesWithProof } from "../../../src/lite/tl/liteQueries.ts";
import { type Hash, hashFromBytes } from "../../../src/model/Hash.ts";
import { findRecorded, listRecorded } from "../../kit/lite/recordedAnswer.ts";
import { replyTo, ScriptedLite } from "../../kit/lite/ScriptedLite.ts";
import { refusalCode } from "../../kit/suite/refusal.ts";

const { signal } = new AbortController();
const unknown = "ab".repeat(32) as Hash;

describe("libraries", () => {
  const three = findRecorded(getLibraries, ({ note }) => note === "three");
  const hashes = three.args.libraryList.map(hashFromBytes);

  it.each(listRecorded(getLibraries))("as recorded prove themselves: $note", ({ args, answer }) => {
    const libraries = checkLibraries(args.libraryList.map(hashFromBytes), answer);
    expect([...libraries.values()].map((root) => root.hash())).toEqual([...libraries.keys()]);
    expect(libraries.size).toBe(answer.result.length);
  });

  it("are the requested ones, with the content of their hash", () => {
    const [first, second, third] = three.answer.result;
    if (first === undefined || second === undefined || third === undefined) throw new Error("no libraries");
    for (const result of [
      [{ ...first, data: second.data }],
      [{ ...first, hash: second.hash }],
      [{ ...first, data: new Uint8Array(0) }],
    ])
      expect(refusalCode(() => checkLibraries(hashes, { result }))).toBe("lite/proof");
    expect(refusalCode(() => checkLibraries(hashes.slice(1), three.answer))).toBe("lite/proof");
  });

  it("may be missing without proof", async () => {
    const server = new ScriptedLite([replyTo(getLibraries, { result: three.answer.result.slice(1) })]);
    expect([...(await fetchLibraries(server, hashes, { signal })).keys()]).toHaveLength(2);
  });
});

describe("libraries with proof", () => {
  const proved = listRecorded(getLibrariesWithProof).filter(({ args }) => (args.mode & 2) === 0);
  const two = findRecorded(getLibrariesWithProof, ({ note }) => note === "two");
  const none = findRecorded(getLibrariesWithProof, ({ note }) => note === "unknown");
  const block = blockIdFromTl(two.args.id);
  const hashes = two.args.libraryList.map(hashFromBytes);

  it.each(proved)("as recorded are proved: $note", ({ args, answer }) => {
    const libraries = checkLibrariesWithProof(blockIdFromTl(args.id), args.libraryList.map(hashFromBytes), answer);
    expect(libraries.size).toBe(answer.result.length);
  });

  it("are missing only if that is proved", () => {
    const result = two.answer.result.slice(1);
    expect(refusalCode(() => checkLibrariesWithProof(block, hashes, { ...two.answer, result }))).toBe("lite/proof");
    const missing = none.args.libraryList.map(hashFromBytes);
    expect(checkLibrariesWithProof(block, missing, none.answer).size).toBe(0);
    expect(refusalCode(() => checkLibrariesWithProof(block, hashes, { ...none.answer, result: [] }))).toBe(
      "lite/proof",
    );
  });

  it("are those of the requested block", () => {
    const config = findRecorded(getConfigAll, ({ args }) => args.mode === 0).answer;
    const { stateProof, configProof } = config;
    expect(refusalCode(() => checkLibrariesWithProof(block, hashes, { ...two.answer, dataProof: configProof }))).toBe(
      "lite/proof",
    );
    expect(refusalCode(() => checkLibrariesWithProof(block, hashes, { ...two.answer, dataProof: stateProof }))).toBe(
      "lite/proof",
    );
    const other = { ...block, seqno: block.seqno - 1 };
    expect(refusalCode(() => checkLibrariesWithProof(other, hashes, two.answer))).toBe("lite/proof");
  });

  it("are requested with their proof", async () => {
    const server = new ScriptedLite([replyTo(getLibrariesWithProof, two.answer)]);
    expect((await fetchLibrariesWithProof(server, block, hashes, { signal })).size).toBe(2);
    await expect(fetchLibrariesWithProof(server, block, [unknown], { signal })).rejects.toMatchObject({
      code: "lite/proof",
    });
    expect(server.asked[0]?.args).toMatchObject({ mode: 0 });
  });
});
