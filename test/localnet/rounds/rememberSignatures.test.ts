import { createPrivateKey, createPublicKey, sign } from "node:crypto";
import { describe, expect, it } from "vitest";
import { rememberSignatures } from "../../../src/localnet/rounds/rememberSignatures.ts";
import { verifyEd25519 } from "../../../src/tvm/crypto/ed25519.ts";

const derPrefix = Buffer.from("302e020100300506032b657004220420", "hex");

function keyOf(seed: number) {
  const key = createPrivateKey({
    key: Buffer.concat([derPrefix, Buffer.alloc(32, seed)]),
    format: "der",
    type: "pkcs8",
  });
  const publicKey = createPublicKey(key).export({ format: "der", type: "spki" }).subarray(-32);
  return { publicKey, sign: (data: Uint8Array) => sign(null, data, key) };
}

describe("a memo of signatures", () => {
  const [first, second] = [keyOf(1), keyOf(2)];
  const [data, other] = [Buffer.alloc(32, 7), Buffer.alloc(32, 8)];
  const checks = [
    [data, first.sign(data), first.publicKey],
    [other, first.sign(data), first.publicKey],
    [data, first.sign(data), second.publicKey],
    [data, second.sign(data), second.publicKey],
    [Buffer.concat([data, other]), first.sign(data), first.publicKey],
    [data.subarray(0, 31), first.sign(data.subarray(0, 31)), first.publicKey],
  ] as const;

  it("gives the outcome of every check, the first time and later", () => {
    const verify = rememberSignatures();
    const expected = checks.map((check) => verifyEd25519(...check));
    expect(expected).toEqual([true, false, false, true, false, true]);
    for (let i = 0; i < 3; i++) expect(checks.map((check) => verify(...check))).toEqual(expected);
  });
});
