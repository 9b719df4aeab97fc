import type * as http from 'node:http';
import type * as https from 'node:https';

/**
 * Node's own HTTP. An `import` of it reads every one of its exports, and one of those loads a whole HTTP client with HTTP/2 behind
 * it: about 100 ms, a third of a start. To ask for the module itself costs next to nothing.
 */
export const nodeHttp: typeof http = process.getBuiltinModule('node:http');

/** The same over TLS, loaded when it is first asked for. */
export const nodeHttps = (): typeof https => process.getBuiltinModule('node:https');
