import { parseJson } from "../../lib/json.ts";
import { type Arg, decodeArgs, makeArg, optional } from "../../lib/kit/arg.ts";
import { bigintArg, intArg, listArg, textArg } from "../../lib/kit/basicArgs.ts";
import { type BlockIdExt, masterchain, wholeShard } from "../../model/block/BlockId.ts";
import { findHash, type Hash, hashToBytes } from "../../model/Hash.ts";
import type { AdnlAddress } from "../adnl/AdnlClient.ts";
import type { TrustedStart } from "./knownNetworks.ts";

/** The part of a network's global config that clients of lite servers need. */
export interface GlobalConfig extends TrustedStart {
  readonly liteServers: readonly AdnlAddress[];
}

const maxServers = 1_000;

const hashText: Arg<Hash> = makeArg({
  schema: { type: "string" },
  allowed: "32 bytes in base64",
  read: (value) => (typeof value === "string" ? findHash(value) : undefined),
});

/** An object of which only the declared properties are read. */
function objectArg<T>(allowed: string, read: (properties: Readonly<Record<string, unknown>>) => T): Arg<T> {
  return makeArg({
    schema: { type: "object" },
    allowed,
    read: (value) =>
      typeof value === "object" && value !== null && !Array.isArray(value) ? read(Object(value)) : undefined,
  });
}

const signedWhole = BigInt.asIntN(64, wholeShard);

const block = objectArg("a masterchain block with seqno, root_hash and file_hash", (given): BlockIdExt => {
  const { seqno, root_hash, file_hash } = decodeArgs(
    {
      workchain: intArg({ min: masterchain, max: masterchain }),
      shard: bigintArg({ min: signedWhole, max: signedWhole }),
      seqno: intArg({ min: 0, max: 0xffff_ffff }),
      root_hash: hashText,
      file_hash: hashText,
    },
    // `JSON.parse` reads the whole shard as a number, which is exact but beyond the safe ones.
    given.shard === Number(signedWhole) ? { ...given, shard: signedWhole } : given,
  );
  return { workchain: masterchain, shard: wholeShard, seqno, rootHash: root_hash, fileHash: file_hash };
});

const server = objectArg("a lite server with ip, port and id.key", (given): AdnlAddress => {
  const { ip, port, id } = decodeArgs(
    {
      ip: intArg({ min: -0x8000_0000, max: 0xffff_ffff }),
      port: intArg({ min: 1, max: 65_535 }),
      id: objectArg("an Ed25519 key", (key) => decodeArgs({ key: hashText }, key)),
    },
    given,
  );
  return { host: dottedIp(ip), port, publicKey: new Uint8Array(hashToBytes(id.key)) };
});

const validator = objectArg("an object with zero_state and init_block", (given) =>
  decodeArgs({ zero_state: block, init_block: optional(block) }, given),
);

const whole = { "@type": optional(textArg()), liteservers: listArg(server, { maxItems: maxServers }), validator };

/** The start of trust in the part `validator` of a global config; throws "lib/argument" for anything else. */
export function readTrustedStart(json: unknown): TrustedStart {
  const { zero_state, init_block } = validator.decode(json, "validator");
  return { zeroState: zero_state, initBlock: init_block ?? zero_state };
}

/** Parses a global config as networks publish it; throws "lib/json" or "lib/argument" for anything else. */
export function parseGlobalConfig(text: string): GlobalConfig {
  const given: Readonly<Record<string, unknown>> = Object(parseJson(text));
  const { liteservers, validator: named } = decodeArgs(whole, given);
  const { zero_state, init_block } = named;
  return { zeroState: zero_state, initBlock: init_block ?? zero_state, liteServers: liteservers };
}

/** The four bytes of an IPv4 address, which the file stores as one number, mostly signed. */
function dottedIp(ip: number): string {
  return [24, 16, 8, 0].map((shift) => (ip >>> shift) & 0xff).join(".");
}
