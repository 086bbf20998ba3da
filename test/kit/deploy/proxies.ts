import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./deployFiles.ts";

/** A sample of `deploy/proxy/` and the program that uses it. */
export interface ProxySample {
  readonly file: string;
  readonly program: string;
  readonly scheme: "http" | "https";
  /** Changes the sample for this machine: a free port, a test certificate, the given upstream server. */
  adapt(text: string, place: ProxyPlace): string;
  /** The commands that check the adapted file and run it in the foreground. */
  check(path: string): readonly string[];
  run(path: string): readonly string[];
}

export interface ProxyPlace {
  readonly folder: string;
  readonly port: number;
  /** Host and port of the upstream server. */
  readonly server: string;
}

/** Replaces a text that must exist, so that a changed sample fails the test. */
function replace(text: string, old: string | RegExp, fresh: string): string {
  const replaced = text.replaceAll(typeof old === "string" ? old : new RegExp(old, "g"), fresh);
  if (replaced === text) throw new Error(`the sample has no ${old}`);
  return replaced;
}

/** By default Caddy opens an admin port, requests certificates and redirects port 80. */
const quietCaddy = "{\n\tadmin off\n\tauto_https off\n}\n";

export const proxySamples: readonly ProxySample[] = [
  {
    file: "nginx.conf",
    program: "/usr/sbin/nginx",
    scheme: "https",
    adapt: (text, { folder, port, server }) => {
      const site = replace(
        replace(
          replace(text, "listen 443 ssl", `listen 127.0.0.1:${port} ssl`),
          "server 127.0.0.1:8081;",
          `server ${server};`,
        ),
        /\/etc\/ssl\/api\.example\.com/,
        join(folder, "certificate"),
      );
      writeFileSync(join(folder, "site.conf"), site);
      const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
        (name) => `${name}_temp_path ${folder}/${name};`,
      );
      return `pid ${folder}/nginx.pid;\nerror_log stderr;\nevents {}\nhttp {\naccess_log off;\n${temporary.join("\n")}\ninclude ${folder}/site.conf;\n}\n`;
    },
    check: (path) => ["-t", "-c", path],
    run: (path) => ["-c", path, "-g", "daemon off;"],
  },
  {
    file: "haproxy.cfg",
    program: "/usr/sbin/haproxy",
    scheme: "https",
    adapt: (text, { folder, port, server }) =>
      replace(
        replace(replace(text, "bind :443", `bind 127.0.0.1:${port}`), /10\.0\.0\.1[12]:8081/, server),
        "/etc/ssl/api.example.com.pem",
        join(folder, "certificate.pem"),
      ),
    check: (path) => ["-c", "-f", path],
    run: (path) => ["-db", "-f", path],
  },
  {
    file: "Caddyfile",
    program: "/usr/bin/caddy",
    scheme: "http",
    adapt: (text, { port, server }) =>
      quietCaddy +
      replace(replace(text, "api.example.com {", `http://127.0.0.1:${port} {`), /127\.0\.0\.1:8081/, server),
    check: (path) => ["validate", "--adapter", "caddyfile", "--config", path],
    run: (path) => ["run", "--adapter", "caddyfile", "--config", path],
  },
  {
    file: "Caddyfile.scaled",
    program: "/usr/bin/caddy",
    scheme: "http",
    adapt: (text, { port, server }) =>
      quietCaddy + replace(replace(text, ":8081 {\n", `http://127.0.0.1:${port} {\n`), /api-[12]:8081/, server),
    check: (path) => ["validate", "--adapter", "caddyfile", "--config", path],
    run: (path) => ["run", "--adapter", "caddyfile", "--config", path],
  },
];

/** Whether the proxy and openssl are installed. */
export function isInstalled({ program }: ProxySample): boolean {
  return existsSync(program) && existsSync("/usr/bin/openssl");
}

/** Writes the key and the certificate files that the samples use. */
function makeCertificate(folder: string): void {
  const [key, certificate] = [join(folder, "certificate.key"), join(folder, "only.pem")];
  const subject = ["-subj", "/CN=api.example.com", "-days", "2"];
  const { status, stderr } = spawnSync(
    "/usr/bin/openssl",
    ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", certificate, ...subject],
    { encoding: "utf8" },
  );
  if (status !== 0) throw new Error(stderr);
  // nginx reads only the certificates in this file, HAProxy also the key.
  writeFileSync(join(folder, "certificate.pem"), readFileSync(certificate, "utf8") + readFileSync(key, "utf8"));
}

export interface RunningProxy {
  readonly origin: string;
  /** The result of the program's own check of the file. */
  readonly check: { readonly status: number | null; readonly text: string };
  output(): string;
  stop(): Promise<void>;
}

/** Checks a sample with its program and starts it in front of a server. */
export function startProxy(sample: ProxySample, place: ProxyPlace): RunningProxy {
  const { folder, port } = place;
  mkdirSync(folder, { recursive: true });
  makeCertificate(folder);
  const path = join(folder, "adapted.conf");
  writeFileSync(path, sample.adapt(readFileSync(join(root, "deploy/proxy", sample.file), "utf8"), place));
  const env = { PATH: process.env.PATH, HOME: folder };
  const { status, stdout, stderr } = spawnSync(sample.program, sample.check(path), {
    cwd: folder,
    env,
    encoding: "utf8",
  });
  const child: ChildProcess = spawn(sample.program, sample.run(path), {
    cwd: folder,
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let text = "";
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding("utf8").on("data", (more) => (text += more));
  return {
    origin: `${sample.scheme}://127.0.0.1:${port}`,
    check: { status, text: `${stdout}${stderr}` },
    output: () => text,
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      await ended;
    },
  };
}
