import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { commands } from "../../src/app/commands/list.ts";
import { loadConfig, options } from "../../src/app/config.ts";
import { flagOf, variableOf } from "../../src/app/options.ts";
import { parseCommandLine } from "../../src/app/terminal/commandLine.ts";
import { listContainers, listObjects, parseYaml, readDeployFiles, root } from "../kit/deploy/deployFiles.ts";

const files = readDeployFiles();
const all = [...files].map(([path, text]) => ({ path, text }));
const yaml = all.filter(({ path }) => /\.ya?ml$/.test(path));
const operating = readFileSync(join(root, "OPERATING.md"), "utf8");

/** The anchors that GitHub derives from headings. */
const anchors = [...operating.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
  heading
    .toLowerCase()
    .replace(/[^a-z0-9 -]/g, "")
    .replaceAll(" ", "-"),
);

const duration = expect.stringMatching(/^\d+[smhd]$/);

/** What is left of brackets when those that belong together are removed. */
function removePairs(brackets: string): string {
  const fewer = brackets.replaceAll(/\(\)|\[\]|\{\}/g, "");
  return fewer === brackets ? brackets : removePairs(fewer);
}

describe("the files of deploy/", () => {
  it.each(yaml)("parse: $path", ({ text }) => {
    expect(parseYaml(text).length).toBeGreaterThan(0);
  });

  it.each(all)("name only variables of the program: $path", ({ text }) => {
    const plain = Object.entries(options).filter(([, { isFileOnly }]) => !isFileOnly);
    const secret = plain.filter(([, { isSecret }]) => isSecret);
    const known = new Set([
      ...plain.map(([name]) => variableOf(name)),
      ...secret.map(([name]) => `${variableOf(name)}_FILE`),
      // Names the configuration file; not a setting itself.
      "TONGATE_CONFIG",
    ]);
    const named = text.match(/TONGATE_[A-Z_]*[A-Z]/g) ?? [];
    expect(named.filter((variable) => !known.has(variable))).toEqual([]);
  });

  it.each(all)("name only metrics that OPERATING.md explains: $path", ({ text }) => {
    const named = text.match(/\btongate_[a-z0-9_]*[a-z0-9]/g) ?? [];
    const foreign = new Set(["tongate_connection", "tongate_streams"]);
    const explained = new Set(operating.match(/tongate_[a-z0-9_]*[a-z0-9]/g) ?? []);
    const families = named.map((name) => name.replace(/_(?:bucket|sum|count)$/, ""));
    expect(families.filter((name) => !explained.has(name) && !foreign.has(name))).toEqual([]);
  });

  it.each(all)("name only settings of the program in their comments: $path", ({ text }) => {
    const known = new Set(Object.keys(options).map(flagOf));
    const named = [...text.matchAll(/\bTongate runs with (--[a-z-]+)|than (--[a-z-]+)|default of (--[a-z-]+)/g)];
    expect(named.map(([, ...flags]) => flags.find(Boolean)).filter((flag) => !known.has(flag ?? ""))).toEqual([]);
  });

  const containers = yaml.flatMap(({ path, text }) =>
    listContainers(text).map((container) => ({ path, ...container })),
  );

  it("have containers of the program", () => {
    const paths = new Set(containers.map(({ path }) => path));
    expect([...paths]).toEqual([
      "compose/local.yml",
      "compose/mainnet.yml",
      "compose/scaled.yml",
      "github-actions/with-docker.yml",
      "kubernetes/answering.yaml",
      "kubernetes/indexer.yaml",
      "kubernetes/migrate.yaml",
    ]);
  });

  it.each(containers)("start the program with valid options: $path $args", ({ args, environment }) => {
    const request = parseCommandLine(commands, args);
    if (request.kind !== "run") throw new Error(`${args} runs nothing`);
    const secrets: Record<string, string> = { database: "postgres://u:p@h/d", redis: "redis://h" };
    const findFile = (path: string) => secrets[path.split("/").at(-1) ?? ""];
    const { config } = loadConfig(
      request.args.filter((arg) => arg.startsWith("--")),
      { environment, findFile },
    );
    const database = environment.TONGATE_DATABASE_FILE === undefined ? undefined : "postgres://u:p@h/d";
    expect(config.database).toBe(database);
  });

  it.each(["compose/local.yml", "github-actions/with-docker.yml"])(
    "let tests use the faucet without a key: %s",
    (path) => {
      const [container] = listContainers(files.get(path) ?? "");
      const { config } = loadConfig([], { environment: container?.environment ?? {}, findFile: () => undefined });
      expect([config.network, config.limits, config.localControls]).toEqual([["localnet"], "off", "open"]);
    },
  );

  it("mount every secret from a file or a Secret of the samples", () => {
    for (const { text } of yaml) {
      const objects = parseYaml(text).flatMap(listObjects);
      const mounted = objects.flatMap(({ secrets }) => (Array.isArray(secrets) ? secrets : []));
      const declared = objects.flatMap(({ secrets }) => (Array.isArray(secrets) ? [] : Object.keys(Object(secrets))));
      expect(mounted.filter((name) => !declared.includes(String(name)))).toEqual([]);
      const named = objects.map(({ secretName }) => secretName).filter((name) => name !== undefined);
      const made = Object(parseYaml(files.get("kubernetes/secret.yaml") ?? "")[0]?.metadata).name;
      expect(named.filter((name) => name !== made)).toEqual([]);
    }
  });

  it("have alerts with a section of OPERATING.md each", () => {
    const rules = parseYaml(files.get("prometheus/alerts.yml") ?? "")
      .flatMap(listObjects)
      .filter(({ alert }) => alert !== undefined);
    const runbooks = rules.map(({ annotations }) => String(Object(annotations).runbook));
    expect(rules.length).toBeGreaterThan(8);
    const sections = runbooks.map((runbook) => runbook.replace(/^OPERATING\.md#/, ""));
    expect(sections.filter((section) => !anchors.includes(section))).toEqual([]);
  });

  it("have dashboards whose panels do not overlap and have queries", () => {
    for (const name of ["operator", "index"]) {
      const { panels } = JSON.parse(files.get(`grafana/${name}.json`) ?? "") as { panels: readonly object[] };
      const taken = new Set<string>();
      for (const { gridPos, targets } of panels.map(Object)) {
        expect(targets.length).toBeGreaterThan(0);
        for (let x = gridPos.x; x < gridPos.x + gridPos.w; x++) {
          for (let y = gridPos.y; y < gridPos.y + gridPos.h; y++) {
            expect(taken.has(`${x} ${y}`)).toBe(false);
            taken.add(`${x} ${y}`);
          }
        }
      }
    }
  });

  it.each(all.filter(({ path }) => path.startsWith("proxy/")))("forward streams at once: $path", ({ path, text }) => {
    const unbuffered = /proxy_buffering off|flush_interval -1|timeout tunnel 1h/;
    expect([path, unbuffered.test(text)]).toEqual([path, true]);
    // A proxy timeout below the keep-alive interval of 15 seconds would break every stream.
    const streaming = text.match(/(?:read_timeout|timeout server|timeout tunnel) +[0-9]+[a-z]+/g) ?? [];
    expect(streaming.filter((line) => !/ (?:60s|[0-9]+[mh])$/.test(line))).toEqual([]);
  });

  it("have consistent Kubernetes objects", () => {
    for (const { path, text } of yaml.filter(({ path }) => path.startsWith("kubernetes/"))) {
      const documents = parseYaml(text).map(Object);
      expect([
        path,
        documents.filter(({ apiVersion, kind, metadata }) => !apiVersion || !kind || !metadata?.name),
      ]).toEqual([path, []]);
      const pods = documents.filter(({ spec }) => spec?.template !== undefined);
      for (const { spec } of pods) {
        const { metadata, spec: pod } = spec.template;
        expect(metadata?.labels).toEqual(spec.selector?.matchLabels);
        const volumes = [
          ...(pod.volumes ?? []),
          ...(spec.volumeClaimTemplates ?? []).map((claim: object) => Object(claim).metadata),
        ];
        const mounts = pod.containers.flatMap((container: object) => Object(container).volumeMounts ?? []);
        const names = (list: readonly object[]) => new Set(list.map((each) => String(Object(each).name)));
        expect(names(mounts)).toEqual(names(volumes));
        const ports = names(pod.containers.flatMap((container: object) => Object(container).ports ?? []));
        const probed = listObjects(pod).flatMap(({ httpGet }) =>
          httpGet === undefined ? [] : [String(Object(httpGet).port)],
        );
        expect(probed.filter((port) => !ports.has(port))).toEqual([]);
        const services = documents.filter(({ kind }) => kind === "Service");
        for (const service of services) {
          expect(service.spec.selector).toEqual(metadata.labels);
          expect(service.spec.ports.filter((port: object) => !ports.has(String(Object(port).targetPort)))).toEqual([]);
        }
      }
    }
  });

  it("have a scrape configuration with targets, and alerts of the form that Prometheus reads", () => {
    const [config] = parseYaml(files.get("prometheus/prometheus.yml") ?? "");
    expect(config).toEqual({
      scrape_configs: [
        { job_name: "tongate", scrape_interval: duration, static_configs: [{ targets: expect.any(Array) }] },
      ],
      rule_files: ["alerts.yml"],
    });
    const targets = listObjects(config).flatMap((each) => (Array.isArray(each.targets) ? each.targets : []));
    expect(targets).toEqual(targets.map(() => expect.stringMatching(/^[a-z0-9-]+:\d+$/)));
    const [alerts] = parseYaml(files.get("prometheus/alerts.yml") ?? "");
    const rules = listObjects(alerts).filter(({ alert }) => alert !== undefined);
    expect(alerts).toEqual({ groups: [{ name: "tongate", rules }] });
    for (const { for: pending = "1m", ...rule } of rules) {
      expect([pending, rule]).toEqual([
        duration,
        {
          alert: expect.stringMatching(/^[A-Z][A-Za-z]+$/),
          expr: expect.stringMatching(/[<>]|==/),
          labels: { severity: expect.stringMatching(/^(?:critical|warning)$/) },
          annotations: { summary: expect.any(String), runbook: expect.any(String) },
        },
      ]);
      const brackets = String(rule.expr).replaceAll(/"[^"]*"|[^()[\]{}]/g, "");
      expect([rule.alert, removePairs(brackets)]).toEqual([rule.alert, ""]);
    }
  });

  it("have a unit with a valid command and variables", () => {
    const text = files.get("systemd/tongate.service") ?? "";
    const [, command = ""] = /^ExecStart=\/usr\/bin\/env tongate (.+)$/m.exec(text) ?? [];
    const request = parseCommandLine(commands, command.split(" "));
    const environment = Object.fromEntries(
      [...text.matchAll(/^Environment=([A-Z_]+)=(.*)$/gm)].map(([, name, value]) => [name, value]),
    );
    const { config } = loadConfig([], { environment, findFile: () => undefined });
    expect([request.kind, config.network, config.data]).toEqual(["run", ["mainnet"], "/var/lib/tongate"]);
  });

  it("have a unit that systemd accepts", () => {
    const text = files.get("systemd/tongate.service") ?? "";
    expect(text).toMatch(/^\[Unit\]$/m);
    const stop = Number(/^TimeoutStopSec=([0-9]+)$/m.exec(text)?.[1]);
    expect(stop * 1_000).toBeGreaterThan(Number(options.drainMs.fallback));
    const verifier = ["/usr/bin/systemd-analyze", "/bin/systemd-analyze"].find((path) => existsSync(path));
    if (verifier === undefined) return;
    const unit = join(root, "deploy/systemd/tongate.service");
    const { status, stderr } = spawnSync(verifier, ["verify", unit], { encoding: "utf8" });
    // Other units of the machine are verified too; only messages about ours count.
    expect([status, stderr.split("\n").filter((line) => line.includes("tongate.service"))]).toEqual([0, []]);
  });
});
