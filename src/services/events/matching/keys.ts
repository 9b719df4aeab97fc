import type { Json } from '../../../kernel/store/index.ts';
import { isObject } from '../../../kernel/values/index.ts';
import type { GridEvent, JsonObject } from '../event.ts';
import type { EventView } from './event-view.ts';
import { fold } from './fold.ts';

/** The parsed key of an advanced filter: `data.a.b`, `Subject`, or the name of an extension. */
export interface KeyPath {
  readonly key: string;
  /** The first name, folded. */
  readonly head: string;
  readonly names: readonly string[];
}

/** Dots cannot be escaped, so a name that contains one cannot be addressed. */
export function keyPath(key: string): KeyPath {
  const names = key.split('.');
  return { key, head: fold(names[0]!), names };
}

const DATA = 'data';

/** Envelope of every event, by the names of both schemas and of the first version of CloudEvents. */
const ENVELOPE: ReadonlyMap<string, (event: GridEvent) => string> = new Map([
  ['id', (event) => event.id],
  ['eventid', (event) => event.id],
  ['topic', (event) => event.topic],
  ['source', (event) => event.topic],
  ['subject', (event) => event.subject],
  ['eventtype', (event) => event.type],
  ['type', (event) => event.type],
  ['eventtime', (event) => event.time],
  ['time', (event) => event.time],
  ['dataversion', (event) => event.dataVersion],
  ['eventtypeversion', (event) => event.dataVersion],
]);

/** Optional attributes of a CloudEvent: if one is missing, the envelope's value must not replace it. */
const OPTIONAL_ATTRIBUTES: ReadonlySet<string> = new Set(['subject', 'time']);

export function valueAt(view: EventView, path: KeyPath): Json | undefined {
  const { event } = view;
  switch (event.schema) {
    case 'EventGridSchema':
      return path.head === DATA ? inside(view, event.data, path.names, 1) : envelope(event, path);
    case 'CloudEventSchemaV1_0':
      return path.head === DATA ? inside(view, event.data, path.names, 1) : attribute(view, path);
    case 'CustomEventSchema':
      return ofPayload(view, path);
  }
}

function envelope(event: GridEvent, { head, names }: KeyPath): Json | undefined {
  return names.length === 1 ? ENVELOPE.get(head)?.(event) : undefined;
}

/** A context attribute of a CloudEvent, or an extension. */
function attribute(view: EventView, path: KeyPath): Json | undefined {
  const own = inside(view, view.event.original, path.names, 0);
  return own === undefined && !OPTIONAL_ATTRIBUTES.has(path.head) ? envelope(view.event, path) : own;
}

/** For a custom schema: `data` is a member of the payload, or the whole payload. */
function ofPayload(view: EventView, path: KeyPath): Json | undefined {
  const payload = view.event.original ?? view.event.data;
  const own = inside(view, payload, path.names, 0);
  if (own !== undefined) return own;
  return path.head === DATA ? inside(view, payload, path.names, 1) : envelope(view.event, path);
}

function inside(
  view: EventView,
  value: Json | JsonObject | undefined,
  names: readonly string[],
  from: number,
): Json | undefined {
  let at = value;
  for (let i = from; i < names.length && at !== undefined; i++) at = view.member(at, names[i]!);
  return at as Json | undefined;
}

/** The folded name that an event must have for the key to exist: first member below `data`, otherwise the first name. */
export const tokenOf = ({ head, names }: KeyPath): string =>
  head === DATA && names.length > 1 ? fold(names[1]!) : head;

/** All such names of an event; may include names that no key leads to. */
export function tokensOf(view: EventView): ReadonlySet<string> {
  const { data, original } = view.event;
  const tokens = new Set([DATA, ...ENVELOPE.keys()]);
  for (const object of [data, original, view.member(original ?? data, DATA)]) {
    if (isObject(object)) for (const name of view.members(object).keys()) tokens.add(name);
  }
  return tokens;
}
