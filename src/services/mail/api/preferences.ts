import { errors } from '../errors.ts';
import { zoneOf } from '../zones/names.ts';
import type { ZoneName } from '../zones/wall.ts';

/** What a `Prefer` header asks for. */
export interface Preferences {
  /** For times of meetings; UTC unless asked for. */
  readonly zone: ZoneName;
  /** As the client wrote it: answers name it so. */
  readonly zoneName: string;
  /** The form of bodies; undefined for the one that they have. */
  readonly body: 'text' | 'html' | undefined;
  readonly immutableIds: boolean;
  readonly pageSize: number | undefined;
  /** For the header `Preference-Applied`. */
  readonly applied: readonly string[];
}

/**
 * `name`, or `name=value` with the value in quotes of either kind or without; several in one header or in several. Blanks are trimmed afterwards: two parts
 * of a pattern that both take them would try every way to share them.
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

/** Bodies that are read are HTML unless the client asks for text; those that were just written are shown as they were sent. */
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

/** What cannot be read of the header is not ours to judge. */
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
