import { findConfigCell, findConfigRoot } from "../../chain/config.ts";
import { listLibraries } from "../../chain/run/libraries.ts";
import { optional, withDefault } from "../../lib/kit/arg.ts";
import { arg } from "../declare/argument.ts";
import { chainProof, largeProof } from "../declare/proof.ts";
import { hashArg, intArg, listArg, refuse, seqnoArg } from "./args.ts";
import { ignoringEmpty } from "./blockArgs.ts";
import { endpoint, untilNext } from "./declare.ts";
import { onChain } from "./onChain.ts";
import { configInfo, libraryResult } from "./shapes/cells.ts";
import { rivalOf } from "./V2Reader.ts";

const paramArg = intArg({ min: 0, tooLow: "param should be non-negative" });

const configSeqnoArg = arg(
  "Seqno of the masterchain block whose configuration is read; the newest one if left out.",
  optional(seqnoArg),
);

export const getConfigParam = endpoint({
  name: "getConfigParam",
  proof: chainProof,
  tag: "configuration",
  summary: "One parameter of the network's configuration.",
  description:
    "`config_id` and `param` are the same argument; a body must have only one of them, in a query `config_id` takes precedence. The result of a parameter that does not exist has no bytes.",
  args: {
    config_id: arg("Number of the parameter, such as 8 for the global version.", rivalOf("param", optional(paramArg)), {
      value: 8,
    }),
    param: arg("Older name of `config_id`.", optional(paramArg)),
    seqno: configSeqnoArg,
  },
  result: configInfo,
  cache: untilNext,
  run: onChain((chain, { config_id: id, param, seqno }) => {
    const wanted = id ?? param;
    if (wanted === undefined) throw refuse("only one of config_id or param should be specified");
    return findConfigCell(chain, wanted, seqno);
  }),
});

export const getConfigAll = endpoint({
  name: "getConfigAll",
  proof: largeProof,
  tag: "configuration",
  summary: "The network's whole configuration.",
  args: { seqno: configSeqnoArg },
  result: configInfo,
  cache: untilNext,
  run: onChain((chain, { seqno }) => findConfigRoot(chain, seqno)),
});

export const getLibraries = endpoint({
  name: "getLibraries",
  proof: chainProof,
  tag: "configuration",
  summary: "Public libraries by hash.",
  description: "At most 16. Libraries that do not exist are omitted; each is returned once, in order of their hashes.",
  args: { libraries: arg("Hashes of the libraries.", withDefault(listArg(ignoringEmpty(hashArg())), []), ["hash"]) },
  result: libraryResult,
  cache: "head",
  run: onChain((chain, { libraries }) =>
    listLibraries(
      chain,
      libraries.flatMap((hash) => hash ?? []),
    ),
  ),
});
