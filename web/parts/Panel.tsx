import type { ComponentChildren } from "preact";
import { useId, useState } from "preact/hooks";
import { type Ask, curlOf } from "../api/ask.ts";
import type { Check } from "../api/check.ts";
import { findAnswered } from "../api/run.ts";
import type { Loaded } from "../api/useAsk.ts";
import { useModule } from "../browser/useModule.ts";
import { neutral } from "../format/neutral.ts";
import { Copy } from "./Copy.tsx";

interface PanelProps {
  readonly title: string;
  /** The requests behind the panel: those it shows, or those that its form sends. Absent ones are not known yet. */
  readonly from: readonly (Ask<unknown> | undefined)[];
  readonly note?: ComponentChildren;
  /** What proves the panel; absent while it is not known, and for panels that nothing proves. */
  readonly check?: Check | undefined;
  readonly children: ComponentChildren;
}

/** A part of a page that can show its requests. */
export function Panel({ title, from, note, check, children }: PanelProps) {
  const id = useId();
  const [isShown, setShown] = useState(false);
  const [checked, setChecked] = useState<Check>();
  const asks = from.filter((ask) => ask !== undefined);
  return (
    <section class="panel" aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
        {note !== undefined && <div class="note">{note}</div>}
        {check !== undefined && (
          <button type="button" class="quiet" onClick={() => setChecked({ ...check })}>
            Check it here
          </button>
        )}
        {asks.length > 0 && (
          <button type="button" class="quiet" aria-expanded={isShown} onClick={() => setShown(!isShown)}>
            {isShown ? "Hide the request" : "Show the request"}
          </button>
        )}
      </header>
      {isShown && asks.map((ask) => <RequestView key={ask.path + ask.body} ask={ask} />)}
      {checked !== undefined && <Checked check={checked} />}
      {children}
    </section>
  );
}

const loadCheck = () => import("../check/CheckView.tsx");

function Checked({ check }: { readonly check: Check }) {
  const module = useModule(loadCheck);
  return module === undefined ? null : <module.CheckView check={check} />;
}

const maxShown = 20_000;

/** A request, a way to repeat it, and its answer. */
function RequestView({ ask }: { readonly ask: Ask<unknown> }) {
  const answered = findAnswered(ask);
  const curl = curlOf(ask, location.origin);
  return (
    <div class="request">
      <p>
        <strong>{ask.method}</strong> <code>{neutral(decodeURIComponent(ask.path))}</code>
        {answered !== undefined && (
          <span class="muted">
            {" "}
            {answered.status}, {Math.round(answered.durationMs)} ms, {answered.text.length.toLocaleString("en")}{" "}
            characters
          </span>
        )}
      </p>
      <p class="line">
        <code>{curl}</code>
        <Copy text={curl} what="command" />
        {ask.method === "GET" && (
          <a href={ask.path} target="_blank" rel="noreferrer noopener">
            open
          </a>
        )}
      </p>
      {answered !== undefined && (
        <details>
          <summary>Answer</summary>
          <pre tabIndex={0}>{pretty(answered.text)}</pre>
        </details>
      )}
    </div>
  );
}

function pretty(text: string): string {
  const shown = text.length > maxShown ? text : indent(text);
  return shown.length > maxShown ? `${shown.slice(0, maxShown)}\n…` : shown;
}

function indent(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

interface AwaitProps<Answer> {
  readonly of: Loaded<Answer>;
  readonly children: (data: Answer) => ComponentChildren;
}

/** The data of a request, a loading text, or the error. */
export function Await<Answer>({ of: loaded, children }: AwaitProps<Answer>) {
  switch (loaded.kind) {
    case "idle":
      return null;
    case "loading":
      return (
        <p class="muted loading" role="status">
          Loading…
        </p>
      );
    case "failed":
      return (
        <p class="failure" role="alert">
          The request failed: {loaded.error.message}
        </p>
      );
    case "ok":
      return <>{children(loaded.data)}</>;
  }
}

/** Shown instead of an empty list. */
export function Empty({ children }: { readonly children: ComponentChildren }) {
  return <p class="muted empty">{children}</p>;
}

export type Fact = readonly [name: string, value: ComponentChildren, help?: string];

/** Names and values in two columns; skips missing values. */
export function Facts({ facts }: { readonly facts: readonly (Fact | undefined | false)[] }) {
  return (
    <dl class="facts">
      {facts.map((fact) => {
        if (fact === undefined || fact === false) return null;
        const [name, value, help] = fact;
        return (
          <div key={name}>
            <dt title={help}>{name}</dt>
            <dd>{value}</dd>
          </div>
        );
      })}
    </dl>
  );
}
