/** The part of the platform's WebAssembly that is used here; the compiler knows it only together with a browser. */
declare const WebAssembly: {
  compile(bytes: Uint8Array): Promise<{ readonly [Symbol.toStringTag]: "WebAssembly.Module" }>;
};
