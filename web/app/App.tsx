import { useEffect, useState } from "preact/hooks";
import { about } from "../api/features.ts";
import { useHead } from "../api/live.ts";
import { listenReach } from "../api/reach.ts";
import { href, replacePlace, usePlace } from "../browser/router.ts";
import { findRoute } from "../browser/routes.ts";
import { Empty } from "../parts/Panel.tsx";
import { SearchField } from "../parts/SearchField.tsx";
import { Failures } from "./Failures.tsx";
import { findLoaded, loadPage, type PageComponent } from "./pages.ts";
import { SettingsMenu } from "./SettingsMenu.tsx";
import { titleOf } from "./titleOf.ts";

const links: readonly (readonly [path: string, title: string])[] = [
  ["/", "Home"],
  ["/list/blocks", "Lists"],
  ["/config", "Config"],
  ["/cell", "Cells"],
  ["/emulate", "Emulate"],
  ["/status", "Status"],
];

/** The frame around every page. */
export function App() {
  const { path, query } = usePlace();
  const all = about().local ? [...links, ["/local", "Local network"] as const] : links;
  return (
    <>
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <header class="top">
        <div class="bar">
          <a class="brand" href={href("/")}>
            <svg viewBox="0 0 32 32" aria-hidden="true">
              <path d="M4 28V14a12 12 0 0 1 24 0v14M10 28V15a6 6 0 0 1 12 0v13" />
            </svg>
            Tongate
          </a>
          <nav aria-label="Pages">
            {all.map(([to, title]) => (
              <a key={to} href={href(to)} aria-current={isAt(path, to) ? "page" : undefined}>
                {title}
              </a>
            ))}
          </nav>
          <SettingsMenu />
        </div>
        <SearchField />
      </header>
      <Down />
      <main id="main" tabIndex={-1}>
        <Failures key={path}>
          <CurrentPage path={path} query={query} />
        </Failures>
      </main>
      <Footer />
      <Title path={path} query={query} />
    </>
  );
}

/** Above every page, because its data is old then. */
function Down() {
  const { seqno, mode } = useHead();
  const [isReached, setReached] = useState(true);
  useEffect(() => listenReach(setReached), []);
  return mode !== "offline" && isReached ? null : (
    <p class="failure down" role="alert">
      <strong>The server does not answer.</strong> {seqno > 0 && `What you see is as of block ${seqno}. `}The page tries
      again every few seconds.
    </p>
  );
}

/** The title of the window; names of accounts become known while pages load. */
function Title({ path, query }: { readonly path: string; readonly query: URLSearchParams }) {
  const { seqno } = useHead();
  useEffect(() => {
    document.title = titleOf(findRoute(path), query);
  }, [path, query, seqno]);
  return null;
}

function isAt(path: string, to: string): boolean {
  const [, first] = to.split("/");
  return to === "/" ? path === "/" : path.split("/")[1] === first;
}

function CurrentPage({ path, query }: { readonly path: string; readonly query: URLSearchParams }) {
  const route = findRoute(path);
  const name = route.kind === "page" ? route.name : "";
  const [failure, setFailure] = useState<string>();
  const [, setLoaded] = useState("");
  const to = route.kind === "redirect" ? route.to : undefined;
  useEffect(() => {
    if (to !== undefined) replacePlace(to);
  }, [to]);
  useEffect(() => {
    setFailure(undefined);
    if (name === "" || findLoaded(name) !== undefined) return;
    loadPage(name).then(
      () => setLoaded(name),
      () => setFailure("This page could not be loaded. Is the server still running?"),
    );
  }, [name]);
  if (route.kind === "unknown") return <Unknown path={path} />;
  if (failure !== undefined) return <p class="failure">{failure}</p>;
  const Page: PageComponent | undefined = findLoaded(name);
  if (Page === undefined || route.kind !== "page") return <p class="muted loading">Loading…</p>;
  return <Page key={path} params={route.params} query={query} />;
}

function Unknown({ path }: { readonly path: string }) {
  return (
    <>
      <h1>No such page</h1>
      <Empty>
        There is nothing at <code>{path}</code>. The search field above takes addresses, hashes, block numbers and links
        of other explorers.
      </Empty>
    </>
  );
}

const modeWords = {
  starting: "connecting…",
  stream: "live by streaming",
  polling: "live by asking every second: this server does not stream",
  offline: "the server does not answer; trying again",
} as const;

function Footer() {
  const { seqno, mode } = useHead();
  const { network, version } = about();
  return (
    <footer>
      <span>
        <span class={`lamp ${mode}`} aria-hidden="true" /> {modeWords[mode]}
        {seqno > 0 && <>, block {seqno}</>}
      </span>
      <span>{network}</span>
      <span>
        <a href="/">Start page</a> · <a href="/docs/start">Documentation</a> · <a href="/api/v2/">API v2</a> ·{" "}
        <a href="/api/v3/">API v3</a>
        {version !== "" && <> · version {version}</>}
      </span>
    </footer>
  );
}
