import type { ComponentType } from "preact";
import { useModule } from "../browser/useModule.ts";

/** A component whose code is loaded when it is first shown. */
export function later<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  return function Later(props: Props) {
    const Shown = useModule(load);
    return Shown === undefined ? (
      <p class="muted loading" role="status">
        Loading…
      </p>
    ) : (
      <Shown {...props} />
    );
  };
}
