import { list, nullable, shape, text } from "../../lib/kit/shape.ts";
import type { OfferedWallet } from "../../localnet/offer/LocalOffer.ts";
import { endpointsOver } from "../declare/endpoint.ts";
import { rawLower } from "../v2/shapes/scalars.ts";
import type { LocalServices } from "./LocalServices.ts";

const wallet = shape<OfferedWallet>()({
  name: text("Name of the wallet.", ({ name }) => name),
  address: rawLower("Address of the wallet, in raw form.", ({ address }) => address),
  version: text("Version of the wallet's contract, such as `v4r2`.", ({ version }) => version),
  words: text("Words that open the wallet, separated by spaces.", ({ words }) => words.join(" ")),
  derived_with: nullable(text)(
    "What a library needs besides words and version to find the same address; null if nothing.",
    ({ derivedWith }) => derivedWith,
  ),
  blueprint: nullable(text)(
    "Lines of the `.env` of a Blueprint project that select the wallet; null if Blueprint does not have its version.",
    ({ blueprint }) => blueprint?.join("\n"),
  ),
});

/** Lists the funded wallets. */
export const wallets = endpointsOver<LocalServices>()({
  name: "wallets",
  tag: "localnet",
  summary: "The funded wallets of the local network, with the words that open them.",
  description:
    "All keys are derived from the public seed of the network: never use them on a real network. `derived_with` lists what a library needs besides words and version to derive the same address; null if nothing.",
  isExtra: true,
  methods: ["GET"],
  args: {},
  result: list(wallet),
  run: ({ wallets: offered }) => offered,
});
