import { errors } from '../errors.ts';
import { zoneOf } from '../zones/names.ts';
import type { ZoneName } from '../zones/wall.ts';

/** Preferences from a `Prefer` header. */
export interface Preferences {
  /** Zone of event times; the default is UTC. */
  readonly zone: ZoneName;
  /** The zone name as the client wrote it; answers repeat it. */
  readonly zoneName: string;
  /** Form of bodies; undefined means unchanged. */
  readonly body: 'text' | 'html' | undefined;
  readonly immutableIds: boolean;
  readonly pageSize: number | undefined;
  /** Values of the `Preference-Applied` header. */
  readonly applied: readonly string[];
}

/**
 * `name`, or `name=value` with the value in single quotes, double quotes or none; several in one header or in several headers. Blanks are
 * trimmed afterwards: if two parts of the pattern matched them, the expression would backtrack.
 */
const PREFERENCE = /([\w.\s-]+)(?:=(?:\s*"([^"]*)"\s*|\s*'([^']*)'\s*|([^,;"']*)))?(?:[,;]|$)/y;

const NONE: Preferences = {
  zone: 'UTC',
  zoneName: 'UTC',
  body: undefined,
  immutableIds: false,
  pageSize: undefined,
  applied: [],
};

/** Reads return HTML bodies unless the client prefers text. Writes return the body in the form in which it was sent. */
export function readPreferences(header: string | readonly string[] | undefined, method: string): Preferences {
  const { body, ...others } = preferencesIn(header);
  return { ...others, body: body ?? (method === 'GET' ? 'html' : undefined) };
}

function preferencesIn(header: string | readonly string[] | undefined): Preferences {
  const text = (typeof header === 'string' ? header : (header ?? []).join(',')).trim();
  if (text === '') return NONE;
  const found: { -readonly [K in keyof Preferences]: Preferences[K] } = { ...NONE };
  const applied: string[] = [];
  for (const [name, value] of pairsIn(text)) {
    if (name === 'outlook.timezone') {
      const zone = zoneOf(value);
      if (zone === undefined) throw errors.TimeZoneNotSupportedException({ zone: value.slice(0, 100) });
      found.zone = zone;
      found.zoneName = value;
      applied.push(`outlook.timezone="${value}"`);
    } else if (name === 'outlook.body-content-type' && /^(text|html)$/i.test(value)) {
      found.body = value.toLowerCase() as 'text' | 'html';
      applied.push(`outlook.body-content-type="${found.body}"`);
    } else if (name === 'idtype' && /^immutableid$/i.test(value)) {
      found.immutableIds = true;
      applied.push('IdType="ImmutableId"');
    } else if (/^(odata\.)?maxpagesize$/.test(name) && /^[1-9]\d{0,8}$/.test(value)) {
      found.pageSize = Number(value);
      applied.push(`odata.maxpagesize=${value}`);
    } else if (/^(odata\.)?track-changes$/.test(name)) applied.push('odata.track-changes');
  }
  return { ...found, applied };
}

/** A malformed rest of the header is ignored. */
function* pairsIn(text: string): Generator<readonly [name: string, value: string]> {
  PREFERENCE.lastIndex = 0;
  while (PREFERENCE.lastIndex < text.length) {
    const at = PREFERENCE.lastIndex;
    const found = PREFERENCE.exec(text);
    if (!found) {
      const next = text.indexOf(',', at);
      if (next < 0) return;
      PREFERENCE.lastIndex = next + 1;
      continue;
    }
    yield [found[1]!.trim().toLowerCase(), (found[2] ?? found[3] ?? found[4] ?? '').trim()];
  }
}
