import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { expect, it } from "vitest";
import { describeCorpusPart } from "../../../kit/suite/corpus.ts";
import { emptyCell } from "../../../src/cell/Builder.ts";
import { decodeBody, findDecodedBody, findOpcodeName, isUnknownBody } from "../../../src/contracts/decode.ts";
import { families } from "../../../src/contracts/registry.ts";
import { formatJson, type JsonObject, type JsonValue } from "../../../src/lib/json.ts";
import { anyMutation, mutateCell } from "../../kit/cell/mutatedCell.ts";
import { listRecordedBodies, listTraceBodies, type RecordedBody } from "../../kit/cell/recordedBodies.ts";
import { olderDecoded, withoutAddressTypes } from "../../kit/contracts/olderDecoded.ts";
import { cpuMs } from "../../kit/suite/cpuMs.ts";

const bodies = families.flatMap((family) => family.bodies);

describeCorpusPart("decoding recorded bodies", "traces/*.json", (folder) => {
  const recorded = listRecordedBodies(folder);

  it("gives every recorded form", () => {
    const decoded = recorded.filter((message) => message.decoded !== undefined);
    const counts = { current: 0, older: 0, exploded: 0 };
    const differing: string[] = [];
    for (const message of decoded) {
      const decodedBody = findDecodedBody(message.body);
      const form = decodedBody === undefined ? undefined : findForm(message, decodedBody);
      if (form === undefined) differing.push(`${message.file} ${message.opcode}`);
      else counts[form]++;
    }
    process.stdout.write(`decoded bodies: ${decoded.length} recorded, ${JSON.stringify(counts)} equal\n`);
    expect(differing).toEqual([]);
  });

  it("decodes more than recorded only for bodies that the service did not know yet", () => {
    const empty = recorded.filter(({ decoded, name }) => decoded === undefined && name !== undefined);
    const more = empty.map(({ body }) => findDecodedBody(body)?.["@type"]).filter((type) => type !== undefined);
    // Answers of October 2025, before wallet bodies were decoded.
    expect(more.filter((type) => type !== "wallet_signed_v3")).toEqual([]);
  });

  it("gives every recorded name", () => {
    const named = recorded.filter(({ name, opcode }) => name !== undefined && name !== "" && opcode !== undefined);
    const differing = named.filter(({ name, opcode }) => findOpcodeName(Number(opcode)) !== name);
    expect(differing).toEqual([]);
  });

  it("finds a typed value wherever it shows a body", () => {
    for (const { body } of recorded) {
      const type = findDecodedBody(body)?.["@type"];
      const known = bodies.filter(({ name }) => name === type);
      if (known.length > 0) expect(known.some(({ find }) => find(body) !== undefined)).toBe(true);
    }
  });

  it("never crashes on a mutated body", () => {
    const cells = [...listTraceBodies(folder), ...recorded.map(({ body }) => body)];
    fc.assert(
      fc.property(
        fc.nat({ max: cells.length - 1 }),
        fc.array(anyMutation, { minLength: 1, maxLength: 3 }),
        (at, mutations) => {
          const mutated = mutations.reduce((cell, mutation) => mutateCell(cell, mutation), cells[at] ?? emptyCell);
          const before = cpuMs();
          const decoded = decodeBody(mutated);
          if (!isUnknownBody(decoded)) formatJson(decoded);
          for (const { find } of bodies) find(mutated);
          expect(cpuMs() - before).toBeLessThan(10_000);
        },
      ),
      { numRuns: 5000 },
    );
  });
});

/**
 * The origin of a recorded form: the current one; that of the first version; or a bug of October 2025, which picked a
 * random field of a body and showed it as the body.
 */
function findForm({ decoded }: RecordedBody, jsonObject: JsonObject): "current" | "older" | "exploded" | undefined {
  if (isDeepStrictEqual(decoded, jsonObject)) return "current";
  const older = olderDecoded(jsonObject as { readonly [key: string]: JsonValue });
  if (isDeepStrictEqual(withoutAddressTypes(decoded), withoutAddressTypes(older))) return "older";
  const field = decoded?.type;
  return typeof field === "string" && isDeepStrictEqual(decoded?.data, jsonObject[field]) ? "exploded" : undefined;
}
