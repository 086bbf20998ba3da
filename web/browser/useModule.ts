import { useEffect, useState } from "preact/hooks";

/** A part of a page whose code is loaded after the page is shown. */
export function useModule<Module>(load: () => Promise<Module>): Module | undefined {
  const [loaded, setLoaded] = useState<{ readonly module: Module }>();
  useEffect(() => {
    // Without it the page has everything else.
    load().then((module) => setLoaded({ module }), console.error);
  }, [load]);
  return loaded?.module;
}
