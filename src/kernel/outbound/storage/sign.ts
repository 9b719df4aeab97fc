import { createHmac } from 'node:crypto';
import type { StorageAccount } from './account.ts';

export interface Unsigned {
  readonly method: 'GET' | 'PUT' | 'POST' | 'HEAD' | 'DELETE';
  readonly url: URL;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: number;
}

/** The headers whose values are signed unchanged, in this order. */
const SIGNED_HEADERS = [
  'content-encoding',
  'content-language',
  'content-length',
  'content-md5',
  'content-type',
  'date',
  'if-modified-since',
  'if-match',
  'if-none-match',
  'if-unmodified-since',
  'range',
];

/** Returns the `authorization` header for a request signed with the account key, as all storage services and emulators check it. */
export function sharedKey(
  { name, key }: Pick<StorageAccount, 'name'> & { readonly key: Buffer },
  request: Unsigned,
): string {
  const { method, url, headers, bytes } = request;
  // A length of 0 is signed as an empty value.
  const values: Readonly<Record<string, string>> = { ...headers, 'content-length': bytes === 0 ? '' : String(bytes) };
  const lines = [method, ...SIGNED_HEADERS.map((header) => values[header] ?? '')];
  const own = Object.keys(headers)
    .filter((header) => header.startsWith('x-ms-'))
    .sort()
    .map((header) => `${header}:${headers[header]}`);
  const query = [...url.searchParams].map(([parameter, value]) => `${parameter.toLowerCase()}:${value}`).sort();
  const text = [...lines, ...own, `/${name}${url.pathname}`, ...query].join('\n');
  return `SharedKey ${name}:${createHmac('sha256', key).update(text, 'utf8').digest('base64')}`;
}
