import { isUtf8 } from 'node:buffer';
import type { Json } from '../../../kernel/store/index.ts';
import type { EventsCall } from '../jar.ts';
import { ATTRIBUTE_NAME, readCloudEvent } from './read-cloud.ts';
import { jsonOf } from './read-json.ts';
import type { Reading } from './reading.ts';

/** CloudEvents whose attributes are headers, and whose data is the body as it is (HTTP protocol binding, 3.1). */

const PREFIX = 'ce-';

const JSON_TYPE = /^(?:application|text)\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i;
const TEXT_TYPE =
  /^(?:text\/|application\/(?:[\w.+-]+\+)?(?:xml|yaml|javascript|x-www-form-urlencoded|x-ndjson)\s*(?:;|$))|;\s*charset=/i;

/** What these would say is said elsewhere in the request. */
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
      mistakes.add(header.slice(0, 100), 'is no header of an attribute');
      continue;
    }
    event[name] = headerText(String(headers[header]), URIS.has(name));
  }
  const type = headers['content-type'];
  if (typeof type === 'string' && type !== '') event.datacontenttype = type;
  if (bytes !== undefined) Object.assign(event, dataOf(bytes, String(type ?? ''), reading));
  readCloudEvent(event, '', reading);
}

/** JSON as what it says, other text as a string, anything else in base64. */
function dataOf(bytes: Buffer, type: string, { mistakes }: Reading): Record<string, Json> {
  if (JSON_TYPE.test(type)) return { data: jsonOf(bytes, mistakes) };
  if (TEXT_TYPE.test(type) && isUtf8(bytes)) return { data: bytes.toString('utf8') };
  return { data_base64: bytes.toString('base64') };
}

const ESCAPED = /(?:%[0-9A-Fa-f]{2})+/g;

/**
 * Their own escapes look like those of a header, and the official library sends them as they are. Of all that a URI consists of, a
 * sender that does escape headers escapes the percent sign alone.
 */
const URIS: ReadonlySet<string> = new Set(['source', 'dataschema']);

/** Percent-encoded where a header could not hold it; senders of older versions put it between quotes. */
function headerText(value: string, isUri: boolean): string {
  const inner = /^"(?:[^"\\]|\\.)*"$/s.test(value) ? value.slice(1, -1).replace(/\\(.)/gs, '$1') : value;
  if (isUri) return inner.replaceAll('%25', '%');
  return inner.includes('%') ? inner.replace(ESCAPED, decoded) : inner;
}

function decoded(escaped: string): string {
  try {
    return decodeURIComponent(escaped);
  } catch {
    // No UTF-8, so it was not meant as an escape.
    return escaped;
  }
}
