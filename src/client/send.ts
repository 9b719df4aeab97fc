import type * as fs from 'node:fs';
import type * as http from 'node:http';
import type * as https from 'node:https';
import { JarError } from './error.ts';

/** Address and credentials of a jar's control API. */
export interface Connection {
  readonly url: string;
  readonly adminKey?: string | undefined;
  /** The CA certificate (PEM) of the jar, for an `https:` address. */
  readonly ca?: string | Uint8Array | undefined;
}

export interface Answer {
  readonly status: number;
  readonly bytes: Buffer<ArrayBuffer>;
}

export type Send = (method: string, path: string, body?: string | Uint8Array, contentType?: string) => Promise<Answer>;

/**
 * Uses Node's HTTP client rather than `fetch`, which accepts no CA, may be redirected to a proxy by the environment, and is often mocked by
 * test suites. Every request has its own connection, so that none is left open when a test ends. There is no time limit: advancing the
 * clock takes as long as the work that falls due.
 */
export function senderTo({ url, adminKey, ca }: Connection): Send {
  return (method, path, body, contentType) => {
    const headers = {
      ...(adminKey !== undefined && { authorization: `Bearer ${adminKey}` }),
      ...(contentType !== undefined && { 'content-type': contentType }),
      ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }),
    };
    const address = new URL(url + path);
    const options = { method, headers, agent: false as const };
    return new Promise<Answer>((resolve, reject) => {
      const request =
        address.protocol === 'https:'
          ? builtin('node:https').request(address, { ...options, ...(ca !== undefined && { ca: Buffer.from(ca) }) })
          : builtin('node:http').request(address, options);
      request.once('error', (error) => reject(unreachable(url, error)));
      request.once('response', (response) =>
        receive(response).then(resolve, (error) => reject(unreachable(url, error))),
      );
      request.end(body);
    });
  };
}

async function receive(response: http.IncomingMessage): Promise<Answer> {
  const parts: Buffer[] = [];
  for await (const part of response) parts.push(part as Buffer);
  return { status: response.statusCode ?? 0, bytes: Buffer.concat(parts) };
}

interface Builtins {
  'node:http': typeof http;
  'node:https': typeof https;
  'node:fs': typeof fs;
}

/** Avoids `import` of `node:http`, which loads a whole HTTP client including HTTP/2 and takes longer than the rest of a start. */
export function builtin<Name extends keyof Builtins>(name: Name): Builtins[Name] {
  if (typeof process.getBuiltinModule === 'function') return process.getBuiltinModule(name);
  throw new JarError(`cloudjar/client needs Node 20.16 or newer (this is ${process.versions.node})`, {
    code: 'NodeTooOld',
  });
}

function unreachable(
  url: string,
  error: Error & { readonly code?: string; readonly errors?: readonly Error[] },
): Error {
  // For a name with several addresses, every address was tried; the first error is shown.
  const { code = '', message } = (error.errors?.[0] ?? error) as Error & { readonly code?: string };
  const hint = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY/.test(code)
    ? "; pass the jar's CA certificate as ca (download it with GET /_jar/ca.pem over http)"
    : '';
  return new JarError(`no jar answers at ${url}: ${message}${hint}`, { code: 'JarUnreachable', cause: error });
}
