import { join } from "node:path";
import { root } from "./build.mjs";
import { bundleProgram } from "./bundle.mjs";

// A process of its own: the bundler keeps hundreds of megabytes, which the server that starts next would hold.
await bundleProgram(join(root, "dist"));
