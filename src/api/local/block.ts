import { int } from "../../lib/kit/shape.ts";
import { endpointsOver } from "../declare/endpoint.ts";
import { typed } from "../v2/shapes/typed.ts";
import type { LocalServices } from "./LocalServices.ts";

interface MadeBlock {
  readonly seqno: number;
  readonly madeAt: number;
}

const made = typed<MadeBlock>()("localnet.block", {
  mc_seqno: int("Seqno of the masterchain block that was made.", ({ seqno }) => seqno),
  gen_utime: int("Time of that block, in Unix seconds.", ({ madeAt }) => madeAt),
});

/** Makes the next block at once. */
export const block = endpointsOver<LocalServices>()({
  name: "block",
  tag: "localnet",
  summary: "Makes the next block of the local network now, without waiting for its pace.",
  isExtra: true,
  methods: ["POST"],
  args: {},
  result: made,
  run: ({ makeBlock }) => makeBlock(),
});
