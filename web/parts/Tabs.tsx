import { href } from "../browser/router.ts";

interface Props {
  readonly path: string;
  readonly current: string;
  readonly tabs: readonly (readonly [id: string, title: string])[];
  readonly label: string;
}

/** Views of the same thing; each has its own URL. */
export function Tabs({ path, current, tabs, label }: Props) {
  return (
    <nav class="tabs" aria-label={label}>
      {tabs.map(([id, title]) => (
        <a key={id} href={href(`${path}?tab=${id}`)} aria-current={id === current ? "page" : undefined}>
          {title}
        </a>
      ))}
    </nav>
  );
}
