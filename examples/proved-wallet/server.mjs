import { createReadStream, existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { dirname, join, normalize } from "node:path";

const baseUrl = process.env.TONGATE_URL ?? "http://127.0.0.1:8081";
const port = Number(process.env.PORT ?? 8090);

/** The client for browsers; a page that is built with a bundler imports "tongate-client" instead. */
const packagePath = createRequire(import.meta.url).resolve("tongate/package.json");
const { exports } = JSON.parse(readFileSync(packagePath, "utf8"));
const clientFolder = join(dirname(packagePath), "dist/browser");
const clientPath = exports["./client"].browser.replace("./dist/browser", "/client");

/** What the lying server says instead. */
const lies = {
  getAddressBalance: (balance) => String(BigInt(balance) * 2n),
  getTokenData: (token) => ({ ...token, balance: String(BigInt(token.balance) * 2n) }),
  getTransactions: (transactions) => transactions.map((each) => ({ ...each, fee: "1" })),
};

async function forward(request, response, isLying) {
  let body = "";
  for await (const part of request.setEncoding("utf8")) body += part;
  const path = request.url.replace(/^\/lying/, "");
  const answer = await fetch(`${baseUrl}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body,
  });
  let text = await answer.text();
  const lie = lies[JSON.parse(body).method];
  if (isLying && lie !== undefined) {
    const whole = JSON.parse(text);
    text = JSON.stringify({ ...whole, result: lie(whole.result) });
  }
  response.writeHead(answer.status, { "content-type": "application/json" }).end(text);
}

/** Where trust begins. A program for mainnet says "mainnet"; a local network is known by its zero state. */
async function readTrust() {
  const { result } = await (await fetch(`${baseUrl}/api/v2/getMasterchainInfo`)).json();
  return { validator: { zero_state: { ...result.init, shard: "-9223372036854775808" } } };
}

const own = { "/": "index.html", "/page.mjs": "page.mjs" };
const types = { html: "text/html", js: "text/javascript", mjs: "text/javascript" };

function sendFile(response, path) {
  if (!existsSync(path)) return response.writeHead(404).end();
  response.writeHead(200, { "content-type": types[path.split(".").at(-1)] });
  return createReadStream(path).pipe(response);
}

const server = createServer(async (request, response) => {
  const { pathname } = new URL(request.url, "http://localhost");
  try {
    if (request.method === "POST") await forward(request, response, pathname.startsWith("/lying/"));
    else if (pathname === "/trust.json") response.end(JSON.stringify({ trust: await readTrust(), clientPath }));
    else if (pathname in own) sendFile(response, join(import.meta.dirname, own[pathname]));
    else sendFile(response, join(clientFolder, normalize(pathname).replace(/^\/client/, "")));
  } catch (error) {
    response.writeHead(502).end(String(error));
  }
});

server.listen(port, "127.0.0.1", async () => {
  const { jetton_wallets: wallets } = await (await fetch(`${baseUrl}/api/v3/jetton/wallets?limit=1&sort=desc`)).json();
  const [{ owner, address }] = wallets;
  console.log(`http://127.0.0.1:${server.address().port}/?address=${owner}&jetton=${address}`);
});
