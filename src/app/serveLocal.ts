import { join } from "node:path";
import type { Access } from "../api/access/Gatekeeper.ts";
import { Metrics } from "../api/metrics.ts";
import { serveGeneration } from "../api/ServedGeneration.ts";
import { contractLimits, Draining, openServer, type Server } from "../api/server.ts";
import { v2Generation } from "../api/v2/envelope.ts";
import { LiveChains } from "../chain/LiveChains.ts";
import { toHex } from "../lib/bytes.ts";
import { systemClock } from "../lib/clock.ts";
import { type Log, openLog } from "../lib/log.ts";
import { systemRandom } from "../lib/random.ts";
import { LiteError } from "../lite/errors.ts";
import { Localnet } from "../localnet/Localnet.ts";
import { openExecutor } from "../tvm/engine/openExecutor.ts";
import { accessFor } from "./accessFor.ts";
import type { Terminal } from "./Command.ts";
import type { Config } from "./config.ts";
import type { Running } from "./Running.ts";
import { formatServing } from "./servingWelcome.ts";

const megabyte = 1 << 20;

/** The newest block of a local network, as answers are given from it. */
function headOf(net: Localnet) {
  const { head } = net.ledger;
  if (head === undefined) throw new LiteError("lite/none", "the local network has no block yet");
  return { block: head.id, genUtime: head.info.genUtime };
}

/** Starts a local network and answers v2 from it; everything is closed in reverse when it is closed. */
export async function serveLocal(config: Config, terminal: Terminal): Promise<Running> {
  const log = openLog({ level: config.logLevel });
  const executor = await openExecutor({}, { clock: systemClock });
  const folder = join(config.data, "localnet");
  const pace = { kind: "steady" as const, blockMs: 1_000 };
  const net = await Localnet.open({ seed: "tongate", pace, folder }, { clock: systemClock, executor, log });
  const source = { pin: () => ({ server: net.lite, askedServers: () => [0] }), head: () => headOf(net) };
  const chains = new LiveChains({ source, executor, clock: systemClock, zeroState: net.ledger.zero.id });
  const { access, close: closeAccess } = accessFor(config, log);
  const server = await openApi(config, { net, chains, access, log });
  terminal.write(formatServing({ net, folder, host: config.host, port: server.port }));
  return {
    close: async () => {
      await server.close();
      await closeAccess();
      await net.close();
      await executor.close();
    },
  };
}

interface ApiModules {
  readonly net: Localnet;
  readonly chains: LiveChains;
  readonly access: Access;
  readonly log: Log;
}

async function openApi(config: Config, { net, chains, access, log }: ApiModules): Promise<Server> {
  const draining = new Draining();
  const common = { clock: systemClock, log, metrics: new Metrics() };
  const cacheBytes = (config.cacheMegabytes * megabyte) / 2;
  const { deadlineMs, maxWaiting, trustedProxies, metrics, host, port, drainMs } = config;
  const served = serveGeneration(
    v2Generation,
    { ...contractLimits, deadlineMs, maxWaiting, trustedProxies, headBytes: cacheBytes, lastingBytes: cacheBytes },
    {
      ...common,
      services: { isLive: () => true, chains },
      head: () => net.ledger.headId.seqno,
      access,
      nextId: () => toHex(systemRandom.bytes(8)),
      isDraining: () => draining.isOn,
    },
  );
  return openServer(
    { ...contractLimits, host, port, metrics, drainMs, requestMs: 30_000 },
    { ...common, generations: [served], checks: [], draining, facts: () => landingOf(config, net) },
  );
}

function landingOf({ host, port }: Config, net: Localnet) {
  const origin = `http://${host}:${port}`;
  return {
    title: "Tongate",
    facts: [
      ["Network", "a local network of this machine"],
      ["Newest masterchain block", String(net.ledger.headId.seqno)],
    ] as const,
    links: [{ path: "/api/v2/", text: "v2: the chain as it is now" }],
    examples: [`curl '${origin}/api/v2/getMasterchainInfo'`],
  };
}
