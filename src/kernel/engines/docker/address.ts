import { resolve } from 'node:path';

/** The address an engine listens on. On Windows a socket is a named pipe, which Node connects to in the same way. */
export type EngineAddress =
  | { readonly kind: 'unix'; readonly path: string; readonly name: string }
  | { readonly kind: 'http'; readonly origin: string; readonly name: string };

/** Named pipes on Windows are not in the file system. */
export const isPipe = (path: string): boolean => path.startsWith('\\\\.\\pipe\\');

/** Parses a path, `unix://…`, `npipe://…`, `tcp://…` or `http(s)://…`. Returns undefined for anything else, such as `ssh://…`. */
export function parseAddress(text: string): EngineAddress | undefined {
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(text)?.[1]?.toLowerCase();
  if (scheme === undefined) return { kind: 'unix', path: isPipe(text) ? text : resolve(text), name: text };
  if (scheme === 'npipe')
    return { kind: 'unix', path: text.slice('npipe://'.length).replaceAll('/', '\\'), name: text };
  if (scheme === 'unix')
    return { kind: 'unix', path: text.slice('unix://'.length), name: text.slice('unix://'.length) };
  if (!['tcp', 'http', 'https'].includes(scheme)) return undefined;
  const address = scheme === 'tcp' ? text.replace(/^tcp/i, 'http') : text;
  if (!URL.canParse(address)) return undefined;
  return { kind: 'http', origin: new URL(address).origin, name: text };
}
