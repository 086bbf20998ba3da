import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { acceptHandshake, handshakeLength, makeHandshake } from "../../../src/lite/adnl/handshake.ts";
import { makeAdnlKey } from "../../../src/lite/adnl/keys.ts";
import { refusalCode } from "../../kit/suite/refusal.ts";

const client = makeAdnlKey(new Uint8Array(32).fill(1));
const server = makeAdnlKey(new Uint8Array(32).fill(2));
const parameters = Uint8Array.from({ length: 160 }, (_, index) => index);
const packet = makeHandshake(client, server.publicKey, parameters);

describe("acceptHandshake", () => {
  it("accepts a handshake for one of its keys", () => {
    const accepted = acceptHandshake(packet, [client, server]);
    expect(accepted).toEqual({ key: server, clientPublicKey: client.publicKey, parameters });
  });

  it("rejects a handshake for another key", () => {
    expect(refusalCode(() => acceptHandshake(packet, [client]))).toBe("lite/handshake");
  });

  it("rejects another length", () => {
    expect(refusalCode(() => acceptHandshake(packet.subarray(1), [server]))).toBe("lite/handshake");
  });

  it("rejects every changed byte", () => {
    fc.assert(
      fc.property(fc.nat(handshakeLength - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
        // The sign of the client key's x does not affect the secret.
        fc.pre(at !== 63 || change !== 128);
        const mutated = packet.slice();
        mutated[at] = (mutated[at] ?? 0) ^ change;
        expect(refusalCode(() => acceptHandshake(mutated, [server]))).toBe("lite/handshake");
      }),
    );
  });

  it("rejects random bytes after a valid key id", () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 224, maxLength: 224 }), (noise) => {
        const mutated = packet.slice();
        mutated.set(noise, 32);
        expect(refusalCode(() => acceptHandshake(mutated, [server]))).toBe("lite/handshake");
      }),
    );
  });
});
