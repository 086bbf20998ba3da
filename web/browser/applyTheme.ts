import { theme } from "./settings.ts";

/** Applies the selected theme to the page. */
export function applyTheme(): void {
  const value = theme();
  if (value === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = value;
}
