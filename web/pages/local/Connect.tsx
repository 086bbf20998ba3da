import { get, readEnvelope } from "../../api/ask.ts";
import { useAsk } from "../../api/useAsk.ts";
import { Copy } from "../../parts/Copy.tsx";
import { Panel } from "../../parts/Panel.tsx";
import { useLocalWallets } from "./localWallets.ts";

/** Settings to copy, so that tools use this network. */
function listSettings(
  origin: string,
  lite: LiteServer | undefined,
  wallet: string | undefined,
): readonly (readonly [tool: string, text: string])[] {
  return [
    ["TonClient (@ton/ton)", `new TonClient({ endpoint: "${origin}/api/v2/jsonRPC" })`],
    [
      "Blueprint (blueprint.config.ts)",
      `export const config = {\n  network: {\n    endpoint: "${origin}/api/v2/jsonRPC",\n    type: "custom",\n    version: "v2",\n  },\n};`,
    ],
    ...(wallet === undefined ? [] : [["Blueprint (.env), with wallet 1", wallet] as const]),
    ["tonweb", `new TonWeb(new TonWeb.HttpProvider("${origin}/api/v2/jsonRPC"))`],
    ["TonClient4 (@ton/ton)", `new TonClient4({ endpoint: "${origin}/api/v4" })`],
    ...(lite === undefined ? [] : liteSettings(lite)),
    ["Any tool, v2", `${origin}/api/v2`],
    ["Any tool, v3", `${origin}/api/v3`],
  ];
}

interface LiteServer {
  readonly host: string;
  readonly port: number;
  readonly key: string;
  readonly global_config: string;
}

const askLite = get("/localnet/liteServers", undefined, readEnvelope<readonly LiteServer[]>);

function liteSettings({ host, port, key, global_config: file }: LiteServer) {
  const engine = `new LiteSingleEngine({\n  host: "tcp://${host}:${port}",\n  publicKey: Buffer.from("${key}", "base64"),\n})`;
  return [
    ["lite-client", `lite-client -C ${file}`],
    ["ton-lite-client", `new LiteClient({ engine: ${engine} })`],
  ] as const;
}

export function Connect() {
  const loaded = useAsk(askLite);
  const lite = loaded.kind === "ok" ? loaded.data[0] : undefined;
  const { wallets } = useLocalWallets();
  const wallet = wallets.kind === "ok" ? wallets.data[0]?.facts.find(([name]) => name === "blueprint")?.[1] : undefined;
  return (
    <Panel title="Connect your tools" from={[askLite]} note="Copy what your tool needs.">
      {listSettings(location.origin, lite, wallet).map(([tool, text]) => (
        <div class="snippet" key={tool}>
          <span class="caption">{tool}</span>
          <div class="line">
            <pre tabIndex={0}>{text}</pre>
            <Copy text={text} what={`setting for ${tool}`} />
          </div>
        </div>
      ))}
    </Panel>
  );
}
