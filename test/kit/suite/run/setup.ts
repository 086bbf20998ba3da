// Runs before each test file; has an effect once per process.
import "../equalCells.ts";
import "../propertySeed.ts";
