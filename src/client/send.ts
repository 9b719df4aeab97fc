import type * as fs from 'node:fs';
import type * as http from 'node:http';
import type * as https from 'node:https';
import { JarError } from './error.ts';

/** Where a jar listens, and what its control API asks for. */
export interface Connection {
  readonly url: string;
  readonly adminKey?: string | undefined;
  /** The certificate (PEM) of the jar's authority, for an `https:` address. */
  readonly ca?: string | Uint8Array | undefined;
}

export interface Answer {
  readonly status: number;
  readonly bytes: Buffer<ArrayBuffer>;
}

export type Send = (method: string, path: string, body?: string | Uint8Array, contentType?: string) => Promise<Answer>;

/**
 * Node's own HTTP client rather than `fetch`, which cannot be given an authority, may be sent through a proxy by the environment, and is what
 * test suites replace by a double. Every request has a connection of its own, so that none is left over when a test ends. There is no time
 * limit: moving a clock takes as long as what falls due.
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

/** An `import` of `node:http` loads a whole HTTP client with HTTP/2 behind it, which takes longer than the rest of a start. */
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
  // Of a name with several addresses each was tried.
  const { code = '', message } = (error.errors?.[0] ?? error) as Error & { readonly code?: string };
  const hint = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY/.test(code)
    ? "; give the certificate of the jar's authority as ca (GET /_jar/ca.pem over http has it)"
    : '';
  return new JarError(`no jar answers at ${url}: ${message}${hint}`, { code: 'JarUnreachable', cause: error });
}
