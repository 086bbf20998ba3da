import { mkdirSync, mkdtempSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { chooseStart, TrustedBlockFile } from "../../../../src/app/service/remote/TrustedBlockFile.ts";
import type { Hash } from "../../../../src/model/Hash.ts";
import { masterBlock } from "../../../kit/lite/FakeLite.ts";

const zeroState = { ...masterBlock(0), rootHash: "ab".repeat(32) as Hash };
const init = masterBlock(5);

function open(content?: string) {
  const file = new TrustedBlockFile(mkdtempSync(join(tmpdir(), "tongate-trusted-")), zeroState);
  if (content !== undefined) {
    mkdirSync(dirname(file.path), { recursive: true });
    writeFileSync(file.path, content);
  }
  return file;
}

describe("the file of the last trusted block", () => {
  it("returns the last written block, and leaves no other files", () => {
    const file = open();
    expect(file.read()).toEqual({ kind: "none" });
    expect(chooseStart(file, init)).toEqual({ block: init, isKept: false, problem: undefined });
    for (const seqno of [7, 8]) file.write(masterBlock(seqno));
    expect(file.read()).toEqual({ kind: "kept", block: masterBlock(8) });
    expect(chooseStart(file, init)).toEqual({ block: masterBlock(8), isKept: true, problem: undefined });
    expect(readdirSync(dirname(file.path))).toEqual(["abababababababab.json"]);
  });

  it("is not used when the init block is newer", () => {
    const file = open();
    file.write(masterBlock(4));
    expect(chooseStart(file, init)).toEqual({ block: init, isKept: false, problem: undefined });
  });

  const hash = "00".repeat(32);

  it.each([
    ["", "bad JSON at line 1, column 1: the text ends where a value should be"],
    ["{}", 'argument "network" is missing; give a hash in hex'],
    [`{"network":"${hash}","seqno":9,"rootHash":"${hash}","fileHash":"${hash}"}`, "it belongs to another network"],
    [
      `{"network":"${hash}","seqno":0,"rootHash":"${hash}","fileHash":"${hash}"}`,
      'argument "seqno" cannot be 0; give a whole number from 1 to 4294967295',
    ],
  ])("with the content %j is reported, and the init block used", (content, problem) => {
    expect(chooseStart(open(content), init)).toEqual({ block: init, isKept: false, problem });
  });
});
