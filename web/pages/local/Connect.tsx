import { Copy } from "../../parts/Copy.tsx";
import { Panel } from "../../parts/Panel.tsx";

/** Lines to copy, so that tools use this network. */
function listSettings(origin: string): readonly (readonly [tool: string, text: string])[] {
  return [
    ["TonClient (@ton/ton)", `new TonClient({ endpoint: "${origin}/api/v2/jsonRPC" })`],
    [
      "Blueprint (blueprint.config.ts)",
      `export const config = {\n  network: {\n    endpoint: "${origin}/api/v2/jsonRPC",\n    type: "custom",\n    version: "v2",\n  },\n};`,
    ],
    ["tonweb", `new TonWeb(new TonWeb.HttpProvider("${origin}/api/v2/jsonRPC"))`],
    ["Any tool, v2", `${origin}/api/v2`],
    ["Any tool, v3", `${origin}/api/v3`],
  ];
}

export function Connect() {
  return (
    <Panel title="Connect your tools" note="Copy what your tool needs.">
      {listSettings(location.origin).map(([tool, text]) => (
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
