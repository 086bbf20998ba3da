import { list, shape, text } from "../../lib/kit/shape.ts";
import type { Address } from "../../model/Address.ts";
import { endpointsOver } from "../declare/endpoint.ts";
import { rawLower } from "../v2/shapes/scalars.ts";
import type { LocalServices } from "./LocalServices.ts";

const contract = shape<readonly [string, Address]>()({
  name: text("Name of the contract in the demo set.", ([name]) => name),
  address: rawLower("Address of the contract, in raw form.", ([, address]) => address),
});

/** Returns the addresses of the demo set's contracts. */
export const demo = endpointsOver<LocalServices>()({
  name: "demo",
  tag: "localnet",
  summary: "The demo contracts; empty with `--demo off`, or until they are deployed.",
  isExtra: true,
  methods: ["GET"],
  args: {},
  result: list(contract),
  run: ({ demo: find }) => find()?.contracts ?? [],
});
