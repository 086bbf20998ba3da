import { expect } from "vitest";
import { type Case, gives, refuses } from "./Case.ts";
import { zeroHash } from "./knownBlocks.ts";

const notThere = { "@type": "configInfo", config: { "@type": "tvm.cell", bytes: "" } };

/** The cases of every endpoint that reads the network configuration. */
export const configCases = {
  getConfigParam: [
    gives("a parameter that does not exist", { config_id: 999 }, notThere),
    gives("the same by its other name", { param: 999 }, notThere),
    refuses("no parameter", {}, 422, "only one of config_id or param should be specified"),
    refuses("a negative one", { config_id: -1 }, 422, "param should be non-negative"),
    refuses("words", { config_id: "x" }, 422, "failed to parse config_id"),
    refuses("a seqno of zero", { param: 1, seqno: 0 }, 422, "seqno should be positive"),
  ],
  getConfigAll: [
    gives(
      "the newest",
      {},
      { "@type": "configInfo", config: { "@type": "tvm.cell", bytes: expect.stringMatching(/^te6cc/) } },
    ),
    refuses("a seqno of zero", { seqno: 0 }, 422, "seqno should be positive"),
  ],
  getLibraries: [
    gives("no such library", { libraries: [zeroHash] }, { "@type": "smc.libraryResult", result: [] }),
    gives("none at all", {}, { "@type": "smc.libraryResult", result: [] }),
    gives("an empty hash, which is none", { libraries: [""] }, { "@type": "smc.libraryResult", result: [] }),
    refuses("words", { libraries: ["zz"] }, 422, "failed to parse libraries"),
  ],
} as const satisfies Readonly<Record<string, readonly Case[]>>;
