import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { beginCell } from "../../../src/cell/Builder.ts";
import { loadCell, storeCell } from "../../../src/cell/codec.ts";
import {
  Certificate,
  CertificateEnv,
  CryptoSignature,
  CryptoSignaturePair,
  SigPubKey,
} from "../../../src/model/config/Signature.ts";
import { itHoldsForRandom } from "../../kit/cell/checkCodec.ts";
import { anyBytes, anyHash, anyUint32, sampleOf } from "../../kit/model/modelValues.ts";
import { refusalCode } from "../../kit/suite/refusal.ts";

const certificate = fc.record({ tempKey: anyHash, validSinceAt: anyUint32, validUntilAt: anyUint32 });
const simple = fc.record({ kind: fc.constant<"simple">("simple"), signature: anyBytes(64) });
const chained = (inner: fc.Arbitrary<CryptoSignature>): fc.Arbitrary<CryptoSignature> =>
  fc.record({
    kind: fc.constant<"chained">("chained"),
    signedCertificate: fc.record({ certificate, certificateSignature: inner }),
    tempKeySignature: anyBytes(64),
  });
const anySignature = fc.oneof(simple, chained(simple), chained(chained(simple)));

describe("signatures", () => {
  itHoldsForRandom("SigPubKey", SigPubKey, anyHash);
  itHoldsForRandom("Certificate", Certificate, certificate);
  itHoldsForRandom("CertificateEnv", CertificateEnv, fc.record({ certificate }));
  itHoldsForRandom("CryptoSignature", CryptoSignature, anySignature);
  itHoldsForRandom("CryptoSignaturePair", CryptoSignaturePair, fc.record({ nodeIdShort: anyHash, sign: anySignature }));

  it("have the sizes of the schema", () => {
    const signature: CryptoSignature = { kind: "simple", signature: new Uint8Array(64) };
    expect(storeCell(SigPubKey, sampleOf(anyHash)).bitLength).toBe(288);
    expect(storeCell(CryptoSignature, signature).bitLength).toBe(516);
    const certified = { certificate: sampleOf(certificate), certificateSignature: signature };
    const chain: CryptoSignature = {
      kind: "chained",
      signedCertificate: certified,
      tempKeySignature: signature.signature,
    };
    const cell = storeCell(CryptoSignature, chain);
    expect([cell.bitLength, cell.ref(0).bitLength]).toEqual([520, 872]);
  });

  it("are rejected if certificates sign certificates without end", () => {
    const example = sampleOf(certificate);
    let cell = beginCell().storeUint(5, 4).storeBytes(new Uint8Array(64)).cell();
    for (let i = 0; i < 1000; i++) {
      const signed = beginCell();
      Certificate.store(signed, example);
      signed.storeUint(15, 4).storeRef(cell).storeUint(5, 4).storeBytes(new Uint8Array(64));
      cell = signed.cell();
    }
    const top = beginCell().storeUint(15, 4).storeRef(cell).storeUint(5, 4).storeBytes(new Uint8Array(64)).cell();
    expect(refusalCode(() => loadCell(CryptoSignature, top))).toBe("cell/tag");
  });

  it("rejects a signature of another length", () => {
    const short: CryptoSignature = { kind: "simple", signature: new Uint8Array(63) };
    expect(refusalCode(() => storeCell(CryptoSignature, short))).toBe("cell/range");
  });
});
