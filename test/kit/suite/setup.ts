import { keepEngines } from "../history/keptEngines.ts";

// Runs before each test file; the second time in a process it finds all done.
await keepEngines();
