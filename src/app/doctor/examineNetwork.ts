import { orAborted } from "../../lib/abort.ts";
import { toBase64 } from "../../lib/bytes.ts";
import type { Clock } from "../../lib/clock.ts";
import { runWithin } from "../../lib/deadline.ts";
import { isCoded } from "../../lib/errors.ts";
import { systemRandom } from "../../lib/random.ts";
import { fetchConfigParams } from "../../lite/queries/config.ts";
import { TrustedChain } from "../../lite/queries/TrustedChain.ts";
import { LiteConnection } from "../../lite/server/LiteConnection.ts";
import { findConfigParam } from "../../model/config/ConfigParams.ts";
import { findVersionGap, supportedGlobalVersion } from "../../tvm/globalVersion.ts";
import type { AppConfig } from "../config.ts";
import { type NetworkServer, type RemotePlan, serverName } from "../NetworkPlan.ts";
import { chooseStart, TrustedBlockFile } from "../service/remote/TrustedBlockFile.ts";
import { countOf, type Finding, note, ok, problem } from "./Finding.ts";
import { type Probe, probeServer } from "./probeServer.ts";

interface Modules {
  readonly clock: Clock;
  readonly config: Pick<AppConfig, "data" | "maxHeadAgeMs">;
}

/** A server with its report, and the connection for further queries. */
interface Probed {
  readonly server: NetworkServer;
  readonly lite: LiteConnection;
  readonly probe: Probe;
}

type Reached = Probed & { readonly probe: { readonly kind: "reached" } };

const behindSeconds = 10;
const skewMs = 5_000;
const proofMs = 15_000;

/** Queries every lite server of a network, and compares the answers. */
export async function examineNetwork(plan: RemotePlan, modules: Modules): Promise<Finding[]> {
  const { clock } = modules;
  const connections = plan.servers.map((server) => new LiteConnection(server, { clock, random: systemRandom }));
  try {
    const probed = await Promise.all(
      plan.servers.map(async (server, at): Promise<Probed[]> => {
        const lite = connections[at];
        return lite === undefined ? [] : [{ server, lite, probe: await probeServer(lite, plan.zeroState, clock) }];
      }),
    );
    return await judge(plan, probed.flat(), modules);
  } finally {
    await Promise.all(connections.map((connection) => connection.close()));
  }
}

async function judge(plan: RemotePlan, probed: readonly Probed[], modules: Modules): Promise<Finding[]> {
  const reached = probed.filter((each): each is Reached => each.probe.kind === "reached");
  const newest = reached.map(({ probe }) => probe.head).sort((a, b) => b.block.seqno - a.block.seqno)[0];
  return [
    ...probed.map(({ server, probe }) => judgeServer(server, probe, newest?.genUtime ?? 0)),
    judgeClock(reached, plan.name),
    ...(newest === undefined ? [] : [judgeHead(newest.block.seqno, newest.genUtime, plan.name, modules)]),
    ...(await judgeProofs(plan, reached, modules)),
  ];
}

function judgeServer(server: NetworkServer, probe: Probe, newestAt: number): Finding {
  const subject = `lite server ${serverName(server)}${server.isPrivate ? " (private)" : ""}`;
  switch (probe.kind) {
    case "unreached":
      return problem(subject, ...unreached(server, probe));
    case "stranger":
      return problem(subject, "belongs to another network", "remove it, or give the global config of its network");
    case "reached": {
      const { head, oldest } = probe;
      const lag = newestAt - head.genUtime;
      const history = oldest === undefined ? "start of history unknown" : `history from block ${oldest.seqno}`;
      const text = `reached, key matches, block ${head.block.seqno}, ${lag} s behind the newest, ${history}`;
      return lag > behindSeconds
        ? problem(subject, text, "it is used last while it is behind; check its node")
        : ok(subject, text);
    }
  }
}

/** The problem and its fix: a server that does not know the key closes the connection, but so do proxies. */
function unreached({ publicKey }: NetworkServer, { code, reason }: Probe & { kind: "unreached" }): [string, string] {
  if (code === "lite/handshake") {
    return [
      `connected, but the handshake with key ${toBase64(publicKey)} failed`,
      "use the key from the server's own configuration; if this happens with all servers, a firewall or proxy closes the connections",
    ];
  }
  return [
    `not reached: ${reason}`,
    "check that it runs, that address and port are right, and that no firewall blocks it",
  ];
}

function judgeClock(reached: readonly Reached[], name: string): Finding {
  const subject = `clock (${name})`;
  const skews = reached.map(({ probe }) => probe.aheadMs).sort((a, b) => a - b);
  const middle = skews[skews.length >> 1];
  if (middle === undefined) return note(subject, "not compared: no lite server was reached");
  const seconds = Math.floor(Math.abs(middle) / 1_000);
  if (Math.abs(middle) <= skewMs)
    return ok(subject, `agrees with ${countOf(reached.length)} within ${skewMs / 1_000} s`);
  const direction = middle > 0 ? "behind" : "ahead of";
  return problem(
    subject,
    `${seconds} s ${direction} the lite servers`,
    "set the clock of this machine, for example with NTP",
  );
}

function judgeHead(seqno: number, genUtime: number, name: string, { clock, config }: Modules): Finding {
  const subject = `head (${name})`;
  const age = Math.max(Math.floor(clock.now() / 1_000) - genUtime, 0);
  const text = `masterchain block ${seqno} is ${age} s old`;
  if (age * 1_000 <= config.maxHeadAgeMs) return ok(subject, text);
  const fix = "the network makes no blocks, or all its lite servers are behind; give others with --global-config";
  return problem(subject, `${text}; the limit is ${config.maxHeadAgeMs / 1_000} s`, fix);
}

/** Proves the head of each server, and checks the rules of the network at the first proved one. */
async function judgeProofs(
  plan: RemotePlan,
  reached: readonly Reached[],
  { clock, config }: Modules,
): Promise<Finding[]> {
  const { name, zeroState, proofs } = plan;
  if (reached.length === 0) return [note(`proofs (${name})`, "not checked: no lite server was reached")];
  const start = chooseStart(new TrustedBlockFile(config.data, zeroState), plan.initBlock);
  const trusted = new TrustedChain({ start: start.block, zeroState, proofs });
  const findings: Finding[] = [];
  const proved: Reached[] = [];
  await runWithin(clock, proofMs, async ({ signal }) => {
    for (const each of reached) {
      const finding = await judgeProof(each, trusted, plan, signal);
      if (finding === undefined) proved.push(each);
      else findings.push(finding);
    }
  });
  const [first] = proved;
  if (first === undefined) return findings;
  const how = proofs === "trust" ? "trusted without proof (--trust)" : `proved from block ${start.block.seqno}`;
  const finding = (proofs === "trust" ? note : ok)(
    `proofs (${name})`,
    `${proved.length} of ${reached.length} heads ${how}`,
  );
  return [finding, ...findings, await judgeVersion(first, name, clock)];
}

async function judgeProof(
  { server, lite, probe }: Reached,
  trusted: TrustedChain,
  { name }: RemotePlan,
  signal: AbortSignal,
): Promise<Finding | undefined> {
  const subject = `proofs (${name})`;
  const target = probe.head.block;
  try {
    await orAborted(trusted.prove(lite, target, { signal }), signal);
    return undefined;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    if (isCoded(error, "lib/deadline")) {
      return note(
        subject,
        `proved up to block ${trusted.newest.seqno} of ${target.seqno} in ${proofMs / 1_000} s; serve continues without a time limit`,
      );
    }
    const text = `${serverName(server)} does not prove its head: ${reason}`;
    return problem(
      subject,
      text,
      "remove the server; if all of them fail, the init block of the global config is wrong",
    );
  }
}

async function judgeVersion({ lite, probe }: Reached, name: string, clock: Clock): Promise<Finding> {
  const subject = `tvm (${name})`;
  try {
    const { config } = await runWithin(clock, proofMs, ({ signal }) =>
      fetchConfigParams(lite, probe.head.block, [8], { signal }),
    );
    const version = findConfigParam(config, 8)?.version ?? 0;
    const text = `the machine supports global version ${supportedGlobalVersion}, the network uses ${version}`;
    if (findVersionGap(config) === undefined) return ok(subject, text);
    return note(subject, `${text}: get-methods that use newer rules may fail; update this program`);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return note(subject, `the version of the network is unknown: ${reason}`);
  }
}
