import type * as http from 'node:http';
import type * as https from 'node:https';

/**
 * Node's `http` module. A normal `import` reads all of its exports, one of which loads an HTTP client with HTTP/2: about 100 ms, a third of
 * a start. `getBuiltinModule` costs next to nothing.
 */
export const nodeHttp: typeof http = process.getBuiltinModule('node:http');

/** Node's `https` module, loaded on first use. */
export const nodeHttps = (): typeof https => process.getBuiltinModule('node:https');
