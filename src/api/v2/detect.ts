import { Type } from "typebox";
import { field } from "../../lib/kit/shape.ts";
import { arg } from "../declare/argument.ts";
import { ApiError } from "../declare/errors.ts";
import { argumentsProof, noProof } from "../declare/proof.ts";
import { addressArg, detectableHashArg } from "./args.ts";
import { endpoint } from "./declare.ts";
import { rawUpper } from "./shapes/scalars.ts";
import { detectedAddress, detectedHash, friendlyUrl } from "./shapes/utils.ts";

/** Endpoints that only convert their argument. */
const converting = { tag: "utils", proof: argumentsProof } as const;
const addressArgs = { address: arg("Address to convert, in any form.", addressArg(), "wallet") };

export const detectAddress = endpoint({
  name: "detectAddress",
  ...converting,
  summary: "All forms of an address.",
  args: addressArgs,
  result: detectedAddress,
  run: (_services, { address: { address, flags } }) => ({
    address,
    testOnly: flags?.testOnly ?? false,
    givenType: flags === undefined ? "raw_form" : flags.bounceable ? "friendly_bounceable" : "friendly_non_bounceable",
  }),
});

export const detectHash = endpoint({
  name: "detectHash",
  ...converting,
  summary: "All forms of a hash.",
  args: { hash: arg("Hash to convert.", detectableHashArg, "hash") },
  result: detectedHash,
  run: (_services, { hash }) => hash,
});

export const packAddress = endpoint({
  name: "packAddress",
  ...converting,
  summary: "The user-friendly form of an address.",
  description:
    "A user-friendly address keeps its flags, a raw one becomes bounceable. A workchain that does not fit one byte gives an empty text.",
  args: addressArgs,
  result: friendlyUrl,
  run: (_services, { address: { address, flags } }) => ({
    address,
    flags: flags ?? { bounceable: true, testOnly: false },
  }),
});

export const unpackAddress = endpoint({
  name: "unpackAddress",
  ...converting,
  summary: "The raw form of an address.",
  args: addressArgs,
  result: rawUpper,
  run: (_services, { address: { address } }) => address,
});

export const healthcheck = endpoint({
  name: "healthcheck",
  proof: noProof("it is about this server, not about the chain"),
  tag: "utils",
  summary: "Whether this server can answer.",
  description:
    "Over HTTP the answer is the bare text, without envelope. It needs no key and does not count against rate limits.",
  isExtra: true,
  isBare: true,
  // Load balancers call this often, and a rate limit must not look like a dead server.
  isUncounted: true,
  methods: ["GET"],
  statuses: [503],
  args: {},
  result: field({ schema: Type.Literal("OK"), encode: () => "OK" as const }),
  run: ({ isLive }) => {
    if (!isLive()) throw new ApiError("api/unready", "no lite server is in use");
    return "OK";
  },
});
