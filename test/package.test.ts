import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "vite";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { openBrowser } from "../kit/suite/openBrowser.ts";
import { type DocumentBlock, listBlocks } from "./kit/deploy/documentBlocks.ts";
import { type NpxService, startByNpx } from "./kit/deploy/npxService.ts";
import { openPackageRegistry, type PackageRegistry } from "./kit/deploy/packageRegistry.ts";
import { npmEnvironment, packRepository, run, runNpm } from "./kit/deploy/packedRepository.ts";
import { someOf } from "./kit/suite/everything.ts";
import "./kit/suite/longRun.ts";
import { Visitor } from "./kit/web/Visitor.ts";

const root = join(import.meta.dirname, "..");
const folder = mkdtempSync(join(tmpdir(), "tongate-package-"));
/** Two empty folders for following the READMEs. */
const [server, app] = [join(folder, "server"), join(folder, "app")];
const [tongate, client] = [join(server, "node_modules/tongate"), join(app, "node_modules/tongate-client")];

let registry: PackageRegistry;
let service: NpxService;
const warnings = new Map<string, string>();

function environment(cwd: string): Readonly<Record<string, string>> {
  return { ...npmEnvironment(cwd), npm_config_registry: registry.url, npm_config_yes: "true" };
}

/** Runs `npm install` in an empty folder and keeps its warnings. */
async function install(name: string, cwd: string): Promise<void> {
  mkdirSync(cwd);
  writeFileSync(join(cwd, "package.json"), '{ "private": true, "type": "module" }');
  const { stderr } = await runNpm(["install", "--omit=dev", name], cwd, environment(cwd));
  warnings.set(name, stderr);
}

beforeAll(async () => {
  registry = await openPackageRegistry(root, folder);
  for (const tarball of Object.values(await packRepository(root, folder))) registry.publish(tarball);
  await install("tongate", server);
  await install("tongate-client", app);
  service = await startByNpx(server, environment(server));
});

afterAll(async () => {
  await service?.stop();
  await registry?.close();
  rmSync(folder, { recursive: true });
});

/** Documents use the default address; the server of this test has another port. */
function atService(text: string): string {
  return text.replaceAll("http://127.0.0.1:8081", service.origin);
}

function readBlocks(path: string, isWanted: (block: DocumentBlock) => boolean): DocumentBlock[] {
  const documentBlocks = listBlocks(readFileSync(path, "utf8")).filter(isWanted);
  expect(documentBlocks.length).toBeGreaterThan(0);
  return documentBlocks;
}

/** Code in documents has no types, so Node runs it as it is. */
async function runModules(blocks: readonly DocumentBlock[], cwd: string): Promise<void> {
  for (const { text, line } of blocks) {
    const name = `block-${line}.mjs`;
    writeFileSync(join(cwd, name), atService(text));
    expect((await run(process.execPath, [name], cwd)).stdout).not.toBe("");
  }
}

const listFiles = (path: string) =>
  readdirSync(path, { recursive: true, withFileTypes: true }).filter((each) => each.isFile());
const pathsOf = (path: string) =>
  listFiles(path).map(({ parentPath, name }) => join(parentPath, name).slice(path.length + 1));

/** The disk usage as `du` counts it: blocks of all files and folders. */
function diskBytes(path: string): number {
  const inner = readdirSync(path, { recursive: true, encoding: "utf8" }).map((name) => join(path, name));
  return [path, ...inner].reduce((sum, each) => sum + statSync(each).blocks * 512, 0);
}

describe("the package tongate", () => {
  it("has the program, its documents and samples, and no dangling source maps", () => {
    const files = pathsOf(tongate);
    const needed = ["README.md", "OPERATING.md", "CHANGELOG.md", "LICENSE", "docs/start.md", "deploy/Dockerfile"];
    const built = [
      "dist/app/cli.js",
      "dist/history/store/engine/embedded/database.image",
      "dist/web/index.html",
      "dist/web/swagger-ui/LICENSE",
      "dist/typebox/LICENSE",
    ];
    expect([...needed, ...built].filter((path) => !files.includes(path))).toEqual([]);
    expect(files.filter((path) => path.endsWith(".map") || /^(?:src|test)\//.test(path))).toEqual([]);
    const code = files.filter((path) => /\.(?:js|css|d\.ts)$/.test(path));
    expect(code.filter((path) => /[#@] sourceMappingURL=/.test(readFileSync(join(tongate, path), "utf8")))).toEqual([]);
    const linked = ["README.md", "OPERATING.md"].flatMap((name) =>
      [...readFileSync(join(tongate, name), "utf8").matchAll(/\]\(([^):#]+)\)/g)].map(([, path = ""]) => path),
    );
    // These two are only for clones of the repository.
    const forClones = new Set(["CONTRIBUTING.md", "ARCHITECTURE.md"]);
    expect(linked.filter((path) => !forClones.has(path) && !existsSync(join(tongate, path)))).toEqual([]);
  });

  it("has few files of code, and in them the paths of the sources for readers of a stack trace", () => {
    const code = pathsOf(tongate).filter((path) => /^dist\/(?!web\/).*\.js$/.test(path));
    // Those of the clients are loaded by pages and programs of others, one by one.
    const isOfClients = (path: string) => /^dist\/(?:browser|client)\//.test(path);
    expect(code.filter((path) => !isOfClients(path)).length).toBeLessThan(180);
    expect(code.filter(isOfClients).length).toBeLessThan(60);
    const text = code.map((path) => readFileSync(join(tongate, path), "utf8")).join("");
    const sources = [...text.matchAll(/^\/\/ (src\/\S+\.ts)$/gm)].map(([, path = ""]) => path);
    expect(sources).toEqual(
      expect.arrayContaining(["src/app/terminal/commandLine.ts", "src/cell/Cell.ts", "src/api/client/v3Client.ts"]),
    );
  });

  it("installs without a warning, an install script, or a package that does not support Node 20", () => {
    expect(warnings.get("tongate")).toBe("");
    const manifests = pathsOf(join(server, "node_modules")).filter((path) =>
      /^(?:.*node_modules\/)?(?:@[^/]+\/)?[^/]+\/package\.json$/.test(path),
    );
    const facts = manifests.map((path) => ({
      path,
      ...JSON.parse(readFileSync(join(server, "node_modules", path), "utf8")),
    }));
    expect(facts.length).toBeGreaterThan(30);
    const hooks = ["preinstall", "install", "postinstall"];
    const scripts = facts.filter(({ scripts = {} }) => hooks.some((name) => name in scripts));
    expect(scripts.map(({ path }) => path)).toEqual([]);
    const tooNew = facts.filter(
      ({ engines }) => />=? ?(?:2[1-9]|[3-9]\d)/.test(engines?.node ?? "") && !/\b20\b/.test(engines.node),
    );
    expect(tooNew.map(({ path, engines }) => `${path} ${engines.node}`)).toEqual([]);
  });

  it("takes at most 72 MB of disk with all dependencies", () => {
    // Measured like `du`, over the node_modules of `npm install --omit=dev` with the tarball in an empty folder.
    expect(diskBytes(join(server, "node_modules")) / 1e6).toBeLessThan(72);
  });

  it("starts by npx like in its README, and answers the requests of the README", async () => {
    expect(service.output()).toMatch(/^ {2}wallet 1 {2}UQ\S{46} {2}v5r1$/m);
    const { stdout } = await run("npx", ["tongate", "version"], server, environment(server));
    expect(stdout).toBe(`${JSON.parse(readFileSync(join(tongate, "package.json"), "utf8")).version}\n`);
    const readme = join(tongate, "README.md");
    const requests = readBlocks(readme, ({ language, text }) => language === "sh" && /^curl /.test(text));
    for (const { text } of requests)
      expect((await run("bash", ["-euc", atService(text)], server, environment(server))).stdout).not.toBe("");
    await runModules(
      readBlocks(readme, ({ text }) => text.includes('"tongate/client"')),
      server,
    );
  });

  it("serves the built pages", async () => {
    const paths = ["/", "/explorer/", "/api/v2/", "/api/v3/", "/api/v2/static/swagger-ui-bundle.js", "/docs/start"];
    const answers = await Promise.all(paths.map((path) => fetch(`${service.origin}${path}`)));
    expect(answers.map(({ status }) => status)).toEqual(paths.map(() => 200));
    expect(await answers[2]?.text()).toContain("swagger-ui-bundle.js");
  });
});

describe("the package tongate-client", () => {
  const blocks = () => readBlocks(join(client, "README.md"), ({ language }) => language === "ts");

  it("installs alone, and has only code, declarations, README and licence", () => {
    expect(warnings.get("tongate-client")).toBe("");
    expect(readdirSync(join(app, "node_modules")).filter((name) => !name.startsWith("."))).toEqual(["tongate-client"]);
    const files = pathsOf(client);
    expect(files.filter((path) => !/^(?:README\.md|LICENSE|package\.json|.*\.js|.*\.d\.ts)$/.test(path))).toEqual([]);
    expect(files).toEqual(expect.arrayContaining(["README.md", "LICENSE", "package.json", "index.js", "index.d.ts"]));
    const { dependencies, version } = JSON.parse(readFileSync(join(client, "package.json"), "utf8"));
    expect([dependencies, version]).toEqual([
      undefined,
      JSON.parse(readFileSync(join(root, "package.json"), "utf8")).version,
    ]);
  });

  it("has a description of every method for editors", () => {
    // The third one has the methods of the first.
    const declarations = pathsOf(client).filter((path) => /\/(?:client|v3Client)\.d\.ts$/.test(path));
    expect(declarations).toHaveLength(2);
    for (const path of declarations) {
      const lines = readFileSync(join(client, path), "utf8").split("\n");
      const methods = lines.flatMap((line, at) =>
        /^ {2}\S+\(args/.test(line) ? [{ line, before: lines[at - 1] ?? "" }] : [],
      );
      expect(methods.length).toBeGreaterThan(30);
      expect(methods.filter(({ before }) => !/^ {2}\/\*\* \S.* \*\/$/.test(before)).map(({ line }) => line)).toEqual(
        [],
      );
    }
  });

  it("runs in plain Node like in its README", () => runModules(blocks(), app));

  it.each([
    ["bundler", { module: "esnext", moduleResolution: "bundler" }],
    ["node16", { module: "node16", moduleResolution: "node16" }],
  ])("compiles strictly with module resolution %s, and rejects wrong arguments", async (name, resolution) => {
    const place = join(app, name);
    mkdirSync(place);
    const wrong = `import { type ApiError, createClient, createV3Client } from "tongate-client";
const v2 = createClient("x");
// @ts-expect-error an address is text
await v2.getAddressBalance({ address: 5 });
// @ts-expect-error there is no such method
await v2.getNothing();
const v3 = createV3Client("x");
// @ts-expect-error a list of jettons has no such field
(await v3["jetton/masters"]()).nothing;
export const seqno: number = (await v2.getMasterchainInfo()).last.seqno;
// @ts-expect-error an order is one of two words
await v3.transactions({ sort: "up" });
// @ts-expect-error a limit is a number
await v3.transactions({ limit: {} });
for (const action of (await v3.actions({ limit: 5, sort: "asc" })).actions) {
  if (action.type === "jetton_transfer") action.details.asset?.length;
  // @ts-expect-error a transfer of coins has no asset
  if (action.type === "ton_transfer") action.details.asset;
}
for await (const transaction of v3.pages("transactions", { limit: 100 })) transaction.lt.length;
// @ts-expect-error this answer has no pages
v3.pages("masterchainInfo");
for await (const event of v3.watch({ types: ["trace", "account_state_change"] })) {
  if (event.type === "account_state_change") event.state.hash;
  // @ts-expect-error a trace has no state
  if (event.type === "trace") event.state;
}
export const root: string = (await v3.sendAndWait("x")).trace.tx_hash;
export const told = (error: ApiError): readonly unknown[] => [error.code, error.data.url, error.data.status, error.cause];
`;
    const sources = [wrong, ...blocks().map(({ text }) => text)];
    for (const [at, text] of sources.entries()) writeFileSync(join(place, `source-${at}.ts`), text);
    const options = {
      ...resolution,
      target: "es2022",
      lib: ["es2023", "dom", "dom.asynciterable"],
      types: [],
      noEmit: true,
    };
    const strict = {
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      skipLibCheck: false,
    };
    writeFileSync(join(place, "tsconfig.json"), JSON.stringify({ compilerOptions: { ...options, ...strict } }));
    // The compiler of this repository, and the one that most programs have.
    const compilers = ["node_modules", "node_modules/@ton/blueprint/node_modules"];
    for (const packages of someOf(compilers, (_, at) => at === (name === "bundler" ? 0 : 1))) {
      const compiler = join(root, packages, "typescript/bin/tsc");
      expect((await run(process.execPath, [compiler, "-p", place], app)).stdout).toBe("");
    }
  });

  it("is built by Vite without settings or warnings, and runs in a browser", async () => {
    const page = join(app, "page");
    mkdirSync(page);
    writeFileSync(
      join(page, "index.html"),
      '<!doctype html><title>x</title><script type="module" src="./main.ts"></script>',
    );
    const source = `import { createClient, createV3Client } from "tongate-client";
import { createLightClient } from "tongate-client/light";
const { init } = await createClient("${service.origin}/api/v2").getMasterchainInfo();
const trust = { validator: { zero_state: { ...init, shard: "-9223372036854775808" } } };
const proving = createClient("${service.origin}/api/v2", { verify: { trust, store: "localStorage" } });
const { last } = await proving.getMasterchainInfo();
const address = "-1:${"5".repeat(64)}";
await proving.getAddressInformation({ address });
await proving.runGetMethod({ address, method: "seqno", stack: [] });
const light = createLightClient("${service.origin}/api/lite/v1", { trust });
const { code } = await light.getAddressInformation({ address, seqno: last.seqno });
if (code !== (await proving.getAddressInformation({ address, seqno: last.seqno })).code) throw new Error("another code");
for await (const event of createV3Client("${service.origin}/api/v3").watch({ types: ["blocks"] })) {
  if (event.type !== "blocks") continue;
  document.title = \`\${last.seqno} \${event.mc_block.seqno}\`;
  break;
}
`;
    writeFileSync(join(page, "main.ts"), source);
    const reported: string[] = [];
    const report = (message: string) => void reported.push(message);
    const logger = {
      info: () => undefined,
      warn: report,
      warnOnce: report,
      error: report,
      clearScreen: () => undefined,
    };
    await build({
      root: page,
      configFile: false,
      customLogger: { ...logger, hasErrorLogged: () => false, hasWarned: false },
    });
    expect(reported).toEqual([]);
    expect(listOverweight(join(page, "dist/assets"))).toEqual([]);
    const origin = await serveFolder(join(page, "dist"));
    const browser = await openBrowser();
    onTestFinished(() => browser.close());
    const visitor = await Visitor.open(browser, origin);
    await visitor.page.goto(`${origin}/index.html`);
    await visitor.page.waitForFunction("/^[0-9]+ [0-9]+$/.test(document.title)");
    expect(visitor.complaints.filter((complaint) => !complaint.includes(service.origin))).toEqual([]);
  });
});

/** How many kilobytes a page loads for a check, compressed: these chunks, and all that they import but the client. */
const budgets: readonly (readonly [kilobytes: number, ...chunks: readonly string[]])[] = [
  [33, "contract"],
  [42, "checks"],
  [49, "checks", "accounts"],
  [74, "checks", "reads"],
  [83, "checks", "machine", "methods"],
  [98, "checks", "emulation"],
  [111, "checks", "tokens"],
];

function listOverweight(folder: string): unknown[] {
  const names = readdirSync(folder).filter((name) => name.endsWith(".js"));
  const importsOf = (name: string) =>
    [...readFileSync(join(folder, name), "utf8").matchAll(/(?:from|import)\s*["']\.\/([^"']+)["']/g)].map(
      ([, imported = ""]) => imported,
    );
  return budgets.flatMap(([kilobytes, ...chunks]) => {
    // A chunk may have a second file, which only names what it exports.
    const found = chunks.map((chunk) => names.filter((name) => name.startsWith(`${chunk}-`)));
    const loaded = new Set(found.flat());
    for (const name of loaded)
      for (const each of importsOf(name)) if (!/^(?:index|plain)-/.test(each)) loaded.add(each);
    const bytes = [...loaded].reduce((sum, name) => sum + gzipSync(readFileSync(join(folder, name))).length, 0);
    const isComplete = found.every(({ length }) => length > 0);
    return isComplete && bytes <= kilobytes * 1000 ? [] : [{ loaded: [...loaded], bytes }];
  });
}

async function serveFolder(path: string): Promise<string> {
  const types: Readonly<Record<string, string>> = { html: "text/html", js: "text/javascript" };
  const host = createServer(({ url = "" }, response) => {
    const file = join(path, url);
    if (!existsSync(file)) response.writeHead(204).end();
    else response.writeHead(200, { "content-type": types[file.split(".").at(-1) ?? ""] }).end(readFileSync(file));
  });
  onTestFinished(() => void host.close().closeAllConnections());
  await new Promise<void>((resolve) => host.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(host.address() as AddressInfo).port}`;
}
