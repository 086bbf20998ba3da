import { basename } from "node:path";
import { int, list, shape, text } from "../../lib/kit/shape.ts";
import type { OfferedLiteServer } from "../../localnet/offer/LocalOffer.ts";
import { endpointsOver } from "../declare/endpoint.ts";
import type { LocalServices } from "./LocalServices.ts";

const server = shape<OfferedLiteServer>()({
  host: text("Host of the lite server.", ({ host }) => host),
  port: int("TCP port of the lite server.", ({ port: number }) => number),
  key: text("Public key of the lite server, in base64.", ({ key }) => key),
  global_config: text(
    "Name of the file with the global configuration, in the folder of the network's data.",
    ({ configPath }) => basename(configPath),
  ),
});

/** Returns the lite server of the network. */
export const liteServers = endpointsOver<LocalServices>()({
  name: "liteServers",
  tag: "localnet",
  summary: "Where lite clients of this machine reach the network; none with `--lite-port off`.",
  description:
    "`key` is the public key of the server in base64. `global_config` is the name of the file for `lite-client -C`, tonlib and libraries, in the folder of the network's data; the program prints its path when it starts.",
  isExtra: true,
  methods: ["GET"],
  args: {},
  result: list(server),
  run: ({ liteServer }) => (liteServer === undefined ? [] : [liteServer]),
});
