import { describeScope, type Scope } from "../../history/scope/Scope.ts";
import type { Clock } from "../../lib/clock.ts";
import { isCoded } from "../../lib/errors.ts";
import { getOpenFileLimit } from "../../lib/process/openFileLimit.ts";
import { supportedGlobalVersion } from "../../tvm/globalVersion.ts";
import type { AppConfig } from "../config.ts";
import { loadConfig } from "../config.ts";
import type { NetworkPlan } from "../NetworkPlan.ts";
import { refuseNameless } from "../networks/indexLocation.ts";
import { indexScope } from "../networks/indexScope.ts";
import { planNetworks } from "../networks/planNetworks.ts";
import type { ConfigSources } from "../options.ts";
import { planFiles } from "../service/fileBudget.ts";
import { describeCellMemory } from "../service/parts/cellMemory.ts";
import { refuseArguments } from "../terminal/commandLine.ts";
import { examineDatabase } from "./examineDatabase.ts";
import { examineFolder } from "./examineFolder.ts";
import { examineNetwork } from "./examineNetwork.ts";
import { countOf, type Finding, ok, problem } from "./Finding.ts";

interface Modules {
  readonly clock: Clock;
  readonly sources: ConfigSources;
}

/** Checks everything that a service with these arguments needs; findings are reported as they are made. */
export async function* examine(args: readonly string[], { clock, sources }: Modules): AsyncGenerator<Finding> {
  const planned = plan(args, sources);
  if (planned.kind === "refused") {
    yield planned.finding;
    return;
  }
  const { config, plans } = planned;
  for (const each of plans) yield ok("configuration", describe(each));
  for (const { name, scope } of planned.scopes)
    yield ok("scope", `the index of ${name} covers ${describeScope(scope)}`);
  yield* await examineFolder(config.data, plans);
  yield examineFiles(config, plans);
  for (const each of plans) yield ok("memory", describeCellMemory(config, each));
  for (const each of plans) yield* await examineDatabase(config, each, clock);
  for (const each of plans)
    yield* each.kind === "local" ? localFindings() : await examineNetwork(each, { clock, config });
}

/** Whether the system allows enough open files and connections. */
function examineFiles(config: AppConfig, plans: readonly NetworkPlan[]): Finding {
  const limit = getOpenFileLimit();
  const { connections, problem: reason } = planFiles(limit, config, plans);
  if (reason !== undefined) return problem("open files", reason, "raise the limit of open files");
  return ok("open files", `${limit}, of which ${connections} are for HTTP connections`);
}

type Planned =
  | {
      readonly kind: "planned";
      readonly config: AppConfig;
      readonly plans: readonly NetworkPlan[];
      readonly scopes: readonly { readonly name: string; readonly scope: Scope }[];
    }
  | { readonly kind: "refused"; readonly finding: Finding };

function plan(args: readonly string[], sources: ConfigSources): Planned {
  try {
    const { config, words } = loadConfig(args, sources);
    refuseArguments("doctor", words);
    const plans = planNetworks(config, sources.findFile);
    refuseNameless(config, plans);
    return { kind: "planned", config, plans, scopes: plans.flatMap((each) => scopeOf(config, each)) };
  } catch (error) {
    if (!isCoded(error, "app/config")) throw error;
    const fix = '"tongate config" prints the settings in effect';
    return { kind: "refused", finding: problem("configuration", error.message, fix) };
  }
}

/** The zero state of a local network is known only while it runs; it takes addresses of both kinds. */
function scopeOf(config: AppConfig, each: NetworkPlan): readonly { readonly name: string; readonly scope: Scope }[] {
  const { name } = each;
  const scope = indexScope(config, { name, zeroState: each.kind === "remote" ? each.zeroState : undefined });
  return scope === undefined ? [] : [{ name, scope }];
}

function describe(plan: NetworkPlan): string {
  const names = plan.listen.hostNames.length === 0 ? "" : ` as ${plan.listen.hostNames.join(", ")}`;
  const where = `on ${plan.listen.host}:${plan.listen.port}${names}`;
  if (plan.kind === "local") return `${plan.name} ${where}, run by this program`;
  const trust = plan.proofs === "trust" ? ", trusted without proof (--trust)" : "";
  return `${plan.name} ${where}, ${countOf(plan.servers.length)} from ${plan.origin}${trust}`;
}

function localFindings(): Finding[] {
  return [
    ok("lite servers", "not needed for the local network"),
    ok("tvm", `the machine supports global version ${supportedGlobalVersion}, which the local network uses`),
  ];
}
