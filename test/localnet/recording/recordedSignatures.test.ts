import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readRecordedSignatures, signaturesIn } from "../../../src/localnet/recording/recordedSignatures.ts";
import { readRecorded } from "../../kit/lite/recordedAnswer.ts";

it("returns the signatures of the blocks in recorded proofs", () => {
  const signed = signaturesIn(readRecorded());
  expect(signed.size).toBeGreaterThan(5);
  for (const set of signed.values()) expect(set.signatures.length).toBeGreaterThan(0);
});

it("is empty for a recording without exchanges", () => {
  const folder = mkdtempSync(join(tmpdir(), "tongate-recording-"));
  expect(readRecordedSignatures(folder)).toEqual(new Map());
  mkdirSync(join(folder, "lite"));
  expect(readRecordedSignatures(folder)).toEqual(new Map());
  rmSync(folder, { recursive: true });
});
