import { listRichest } from "../../history/queries/accounts.ts";
import { list } from "../../lib/kit/shape.ts";
import { noProof } from "../declare/proof.ts";
import { cursorArgs, pageArgs } from "./args/args.ts";
import { indexEndpoint } from "./declare.ts";
import { onHistory } from "./onHistory.ts";
import { allIndexed } from "./scope/scopeRule.ts";
import { accountBalance } from "./shapes/accounts.ts";

export const topAccountsByBalance = indexEndpoint({
  name: "topAccountsByBalance",
  proof: noProof("nothing proves that no other account has more; accountStates proves each balance"),
  tag: "stats",
  scope: allIndexed,
  summary: "Accounts by balance, largest first.",
  args: { ...pageArgs, ...cursorArgs },
  result: list(accountBalance),
  run: onHistory(async ({ reading, page, items }, args) => items(await listRichest(reading, page(args)))),
});
