import { useState } from "preact/hooks";
import { get, post, readEnvelope, readPlain } from "../../api/ask.ts";
import { useAsk } from "../../api/useAsk.ts";
import { Await, Panel } from "../../parts/Panel.tsx";
import { useAct } from "./acts.tsx";
import { ActionResult, Field } from "./fields.tsx";

interface BodySchema {
  readonly properties?: Readonly<Record<string, { readonly description?: string; readonly type?: string }>>;
  readonly required?: readonly string[];
}

/** A control as the document of the local network declares it. */
interface Operation {
  readonly summary: string;
  readonly requestBody?: { readonly content: { readonly "application/json": { readonly schema: BodySchema } } };
}

interface ControlDocument {
  readonly paths: Readonly<Record<string, { readonly post?: Operation }>>;
}

const askDocument = get("/localnet/openapi.json", undefined, readPlain<ControlDocument>);

/** Every control of the network, with a field for each argument. */
export function Controls() {
  const loaded = useAsk(askDocument, 0);
  return (
    <Panel title="Controls" from={[askDocument]} note="Writes accounts and settings without any key. See the API page.">
      <Await of={loaded}>{({ paths }) => <ControlForm paths={paths} />}</Await>
    </Panel>
  );
}

function ControlForm({ paths }: ControlDocument) {
  const names = Object.keys(paths).filter((path) => paths[path]?.post !== undefined);
  const [path, setPath] = useState("/setBalance");
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const [done, act] = useAct();
  const operation = paths[path]?.post;
  const { properties = {}, required = [] } = operation?.requestBody?.content["application/json"].schema ?? {};
  const args = Object.entries(properties);
  const given = args.flatMap(([name, { type }]): [string, unknown][] => {
    const value = values[name]?.trim() ?? "";
    return value === "" ? [] : [[name, type === "array" ? value.split(",") : value]];
  });
  const isReady = required.every((name) => (values[name] ?? "").trim() !== "") && done.kind !== "working";
  const run = () => act(post(`/localnet${path}`, Object.fromEntries(given), readEnvelope), JSON.stringify);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady) run();
      }}
    >
      <label class="field">
        Control
        <select value={path} onChange={({ currentTarget }) => setPath(currentTarget.value)}>
          {names.map((name) => (
            <option key={name} value={name}>
              {name.slice(1)}
            </option>
          ))}
        </select>
      </label>
      <p class="small muted">{operation?.summary}</p>
      {args.map(([name, { description = "" }]) => (
        <Field
          key={name}
          label={name}
          value={values[name] ?? ""}
          placeholder={description}
          onChange={(value) => setValues({ ...values, [name]: value })}
        />
      ))}
      <button type="submit" disabled={!isReady}>
        Run
      </button>
      <ActionResult done={done} />
    </form>
  );
}
