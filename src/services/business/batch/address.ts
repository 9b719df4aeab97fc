import { parseQuery } from '../../../kernel/http/index.ts';
import { errors } from '../errors.ts';

/** Address of a request of a batch, below the API. */
export interface Address {
  readonly path: string;
  readonly query: Readonly<Record<string, unknown>>;
  readonly search: string;
}

/** Result of an earlier request of the batch. */
export interface Reference {
  /** Path below the API. */
  readonly path: string;
  readonly etag: string | undefined;
}

export type References = ReadonlyMap<string, Reference>;

const REFERENCE = /^\/?\$([^/?()]+)/;
/** Paths that begin with `$` but are no references. */
const OWN_ADDRESSES = new Set(['metadata', 'batch']);

/** Resolves `$1/salesOrderLines`: a path below the record that request 1 created or read. */
export function resolved(url: string, references: References): string {
  const found = REFERENCE.exec(url);
  if (!found) return url;
  const name = decoded(found[1] as string);
  const reference = references.get(name);
  if (reference) return reference.path + url.slice(found[0].length);
  if (OWN_ADDRESSES.has(name.toLowerCase())) return url;
  const reason = `'${shown(url)}' refers to a request '${shown(name)}', but no earlier request of that id has succeeded.`;
  throw errors.BadRequest_InvalidRequestUrl({ reason }, { target: 'url' });
}

/** `base` is the address of the API: `https://localhost:7443/api/v2.0`. */
export function addressOf(url: string, base: string): Address {
  const [written = '', ...behind] = url.split('?');
  const search = behind.join('?');
  return { path: belowApi(written, base), query: parseQuery(search), search };
}

function belowApi(written: string, base: string): string {
  const isAbsolute = /^https?:\/\//i.test(written);
  const path = isAbsolute ? written.replace(/^https?:\/\/[^/]*/i, '') : written;
  const own = base.replace(/^https?:\/\/[^/]*/i, '');
  const short = own.slice(Math.max(0, own.toLowerCase().lastIndexOf('/api/')));
  for (const start of [own, short]) {
    if (path.slice(0, start.length).toLowerCase() !== start.toLowerCase()) continue;
    const rest = path.slice(start.length);
    if (rest === '' || rest.startsWith('/')) return rest.replace(/^\/+/, '');
  }
  // A relative or rooted path that does not name another API is taken as below this one.
  if (!isAbsolute && !/^\/+(api|v\d+\.\d+)(\/|$)/i.test(path)) return path.replace(/^\/+/, '');
  const reason = `'${shown(written)}' is outside of '${short}'; a batch reaches only the API that it is sent to.`;
  throw errors.BadRequest_InvalidRequestUrl({ reason }, { target: 'url' });
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

const shown = (text: string): string => text.slice(0, 200);
