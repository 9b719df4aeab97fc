import { isUtf8 } from 'node:buffer';
import type { Json } from '../../../kernel/store/index.ts';
import type { EventsCall } from '../jar.ts';
import { ATTRIBUTE_NAME, readCloudEvent } from './read-cloud.ts';
import { jsonOf } from './read-json.ts';
import type { Reading } from './reading.ts';

/** CloudEvents in binary mode: attributes are headers, the body is the data (HTTP protocol binding, 3.1). */

const PREFIX = 'ce-';

const JSON_TYPE = /^(?:application|text)\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i;
const TEXT_TYPE =
  /^(?:text\/|application\/(?:[\w.+-]+\+)?(?:xml|yaml|javascript|x-www-form-urlencoded|x-ndjson)\s*(?:;|$))|;\s*charset=/i;

/** Not allowed as headers: the request expresses these attributes elsewhere. */
const NO_HEADER: ReadonlySet<string> = new Set(['data', 'datacontenttype', 'database64']);

export const isBinaryMode = (headers: EventsCall['headers']): boolean =>
  headers['ce-specversion'] !== undefined || headers['ce-id'] !== undefined || headers['ce-type'] !== undefined;

export function readBinary(bytes: Buffer | undefined, headers: EventsCall['headers'], reading: Reading): void {
  const { mistakes } = reading;
  const event: Record<string, Json> = {};
  for (const header in headers) {
    if (!header.startsWith(PREFIX)) continue;
    const name = header.slice(PREFIX.length);
    if (!ATTRIBUTE_NAME.test(name) || NO_HEADER.has(name)) {
      mistakes.add(header.slice(0, 100), 'is not the header of an attribute');
      continue;
    }
    event[name] = headerText(String(headers[header]), URIS.has(name));
  }
  const type = headers['content-type'];
  if (typeof type === 'string' && type !== '') event.datacontenttype = type;
  if (bytes !== undefined) Object.assign(event, dataOf(bytes, String(type ?? ''), reading));
  readCloudEvent(event, '', reading);
}

/** JSON is parsed, other text becomes a string, anything else base64. */
function dataOf(bytes: Buffer, type: string, { mistakes }: Reading): Record<string, Json> {
  if (JSON_TYPE.test(type)) return { data: jsonOf(bytes, mistakes) };
  if (TEXT_TYPE.test(type) && isUtf8(bytes)) return { data: bytes.toString('utf8') };
  return { data_base64: bytes.toString('base64') };
}

const ESCAPED = /(?:%[0-9A-Fa-f]{2})+/g;

/**
 * Escapes within a URI look like header escapes, and the official library sends URIs unescaped. A sender that does escape headers changes
 * only the percent sign of a URI.
 */
const URIS: ReadonlySet<string> = new Set(['source', 'dataschema']);

/** Decodes percent-encoded characters; senders of older versions also quote the value. */
function headerText(value: string, isUri: boolean): string {
  const inner = /^"(?:[^"\\]|\\.)*"$/s.test(value) ? value.slice(1, -1).replace(/\\(.)/gs, '$1') : value;
  if (isUri) return inner.replaceAll('%25', '%');
  return inner.includes('%') ? inner.replace(ESCAPED, decoded) : inner;
}

function decoded(escaped: string): string {
  try {
    return decodeURIComponent(escaped);
  } catch {
    // The decoded bytes are not UTF-8, so they were not meant as an escape.
    return escaped;
  }
}
