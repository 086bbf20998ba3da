import "../equalCells.ts";
import "../propertySeed.ts";
import { keepEngines } from "../../history/keptEngines.ts";

// Runs before each test file; has an effect once per process.
await keepEngines();
