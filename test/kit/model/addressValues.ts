import fc from "fast-check";
import type { Anycast, ExternalAddress, InternalAddress, SpecialAddress } from "../../../src/model/Address.ts";
import type { AnyAddress, IntermediateAddress } from "../../../src/model/messageAddress.ts";
import { anyAddress, anyHash, anyInt32, anyUint64 } from "./modelValues.ts";

/** Random bits as hex of whole bytes, left-aligned and padded with zeros. */
export function anyBitsHex(bits: number): fc.Arbitrary<string> {
  const length = (bits + 7) >> 3;
  return fc.uint8Array({ minLength: length, maxLength: length }).map((bytes) => {
    const last = length - 1;
    if (bits % 8 !== 0) bytes[last] = (bytes[last] as number) & (0xff00 >> (bits % 8));
    return Buffer.from(bytes).toString("hex");
  });
}

export const anyAnycast: fc.Arbitrary<Anycast> = fc
  .integer({ min: 1, max: 30 })
  .chain((depth) => fc.record({ depth: fc.constant(depth), prefix: anyBitsHex(depth) }));

const anyWorkchain8 = fc.integer({ min: -128, max: 127 });

export const anyRewrittenAddress: fc.Arbitrary<SpecialAddress> = fc.record({
  kind: fc.constant<"standard">("standard"),
  anycast: anyAnycast,
  workchain: anyWorkchain8,
  bits: fc.constant(256),
  account: anyHash,
});

const anyVariableAddress: fc.Arbitrary<SpecialAddress> = fc.nat({ max: 511 }).chain((bits) =>
  fc.record({
    kind: fc.constant<"variable">("variable"),
    anycast: fc.option(anyAnycast, { nil: undefined }),
    bits: fc.constant(bits),
    workchain: anyInt32,
    account: anyBitsHex(bits),
  }),
);

export const anyInternalAddress: fc.Arbitrary<InternalAddress> = fc.oneof(
  anyAddress,
  anyRewrittenAddress,
  anyVariableAddress,
);

/** Addresses that leave room for the rest of a message. */
export const anyShortAddress: fc.Arbitrary<InternalAddress> = fc.oneof(anyAddress, anyRewrittenAddress);

export const anyExternalAddress: fc.Arbitrary<ExternalAddress | undefined> = fc.option(
  fc
    .nat({ max: 511 })
    .chain((bits) =>
      fc.record({ kind: fc.constant<"external">("external"), bits: fc.constant(bits), value: anyBitsHex(bits) }),
    ),
  { nil: undefined },
);

export const anyMessageAddress: fc.Arbitrary<AnyAddress> = fc.oneof(anyInternalAddress, anyExternalAddress);

export const anyIntermediate: fc.Arbitrary<IntermediateAddress> = fc.oneof(
  fc.record({ kind: fc.constant<"regular">("regular"), useDestBits: fc.nat({ max: 96 }) }),
  fc.record({ kind: fc.constant<"simple">("simple"), workchain: anyWorkchain8, prefix: anyUint64 }),
  fc.record({ kind: fc.constant<"extended">("extended"), workchain: anyInt32, prefix: anyUint64 }),
);
