import type { Cell } from "../../cell/Cell.ts";
import type { MessageParts } from "../../chain/message.ts";
import { optional } from "../../lib/kit/arg.ts";
import { arg } from "../declare/argument.ts";
import { addressArg } from "./args.ts";
import { ignoringEmpty } from "./blockArgs.ts";
import { bocArg, readBag } from "./bocArg.ts";
import { cellTreeArg } from "./cellTreeArg.ts";

const address = arg("Address of the account that receives the message.", addressArg(), "wallet");
const words = {
  body: "Body of the message.",
  code: "Code of an account that is not deployed yet.",
  data: "Data of an account that is not deployed yet.",
};

/** The parts of an external message, as bags of cells. */
export const queryArgs = {
  address,
  body: arg(words.body, bocArg("body", "failed to parse body", "bytes"), { value: "te6cckEBAQEAAgAAAEysuc0=" }),
  init_code: arg(words.code, ignoringEmpty(bocArg("init_code", "failed to parse init_code"))),
  init_data: arg(words.data, ignoringEmpty(bocArg("init_data", "failed to parse init_data"))),
};
/** The same parts as trees of cells. */
export const treeArgs = {
  address,
  body: arg(words.body, cellTreeArg, { value: { data: { b64: "", len: 0 }, refs: [] } }),
  init_code: arg(words.code, optional(cellTreeArg)),
  init_data: arg(words.data, optional(cellTreeArg)),
};
/** Without code there is nothing to deploy: data alone is ignored. */
export function initOf(code: Cell | undefined, data: Cell | undefined): MessageParts["init"] {
  return code === undefined ? undefined : { code, data: data ?? readBag(new Uint8Array(), "init_data") };
}
