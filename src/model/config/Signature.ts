import { bytes, type Codec, mapped, ref, struct, tagged, uint32, union, type ValueOf } from "../../cell/codec.ts";
import { hash } from "../Hash.ts";

// ed25519_pubkey#8e81278a pubkey:bits256 = SigPubKey;
/** An Ed25519 public key as hex. */
export const SigPubKey = mapped(
  tagged("#8e81278a", { key: hash }),
  ({ key }) => key,
  (key) => ({ key }),
);

// certificate#4 temp_key:SigPubKey valid_since:uint32 valid_until:uint32 = Certificate;
export const Certificate = tagged("#4", { tempKey: SigPubKey, validSinceAt: uint32, validUntilAt: uint32 });
export type Certificate = ValueOf<typeof Certificate>;

// certificate_env#a419b7d certificate:Certificate = CertificateEnv;
/** The data that the persistent key signs. */
export const CertificateEnv = tagged("#a419b7d", { certificate: Certificate });
export type CertificateEnv = ValueOf<typeof CertificateEnv>;

// ed25519_signature#5 R:bits256 s:bits256 = CryptoSignatureSimple;
/** The 64 bytes R and s of an Ed25519 signature. */
export const CryptoSignatureSimple: Codec<Uint8Array> = mapped(
  tagged("#5", { signature: bytes(64) }),
  ({ signature }) => signature,
  (signature) => ({ signature }),
);

export interface SignedCertificate {
  readonly certificate: Certificate;
  /** A signature of the certificate in its envelope, by the persistent key. */
  readonly certificateSignature: CryptoSignature;
}

export type CryptoSignature =
  | { readonly kind: "simple"; readonly signature: Uint8Array }
  | {
      readonly kind: "chained";
      readonly signedCertificate: SignedCertificate;
      /** A signature of the data, by the certificate's temporary key. */
      readonly tempKeySignature: Uint8Array;
    };

/**
 * By the scheme a chained signature may sign a certificate again, without end. Real data has no such chain; a few
 * levels are read, and a longer chain is refused like an unknown constructor.
 */
const maxChain = 4;

// signed_certificate$_ certificate:Certificate certificate_signature:CryptoSignature = SignedCertificate;
// _ CryptoSignatureSimple = CryptoSignature;
// chained_signature#f signed_cert:^SignedCertificate temp_key_signature:CryptoSignatureSimple = CryptoSignature;
function signatureCodec(chain: number): Codec<CryptoSignature> {
  if (chain === 0) return union({ simple: ["#5", { signature: bytes(64) }] });
  const signedCertificate = struct({ certificate: Certificate, certificateSignature: signatureCodec(chain - 1) });
  return union({
    simple: ["#5", { signature: bytes(64) }],
    chained: ["#f", { signedCertificate: ref(signedCertificate), tempKeySignature: CryptoSignatureSimple }],
  });
}

export const CryptoSignature: Codec<CryptoSignature> = signatureCodec(maxChain);

// sig_pair$_ node_id_short:bits256 sign:CryptoSignature = CryptoSignaturePair;
export const CryptoSignaturePair = struct({ nodeIdShort: hash, sign: CryptoSignature });
export type CryptoSignaturePair = ValueOf<typeof CryptoSignaturePair>;
