import type { Json } from '../../../kernel/store/index.ts';
import { isObject } from '../../../kernel/values/index.ts';
import type { GridEvent, JsonObject } from '../event.ts';
import type { EventView } from './event-view.ts';
import { fold } from './fold.ts';

/** The key of an advanced filter, taken apart: `data.a.b`, `Subject`, or the name of an extension. */
export interface KeyPath {
  readonly key: string;
  /** The first name, folded. */
  readonly head: string;
  readonly names: readonly string[];
}

/** A dot cannot be escaped: one inside a name is out of reach. */
export function keyPath(key: string): KeyPath {
  const names = key.split('.');
  return { key, head: fold(names[0]!), names };
}

const DATA = 'data';

/** What every event has, by the names of both schemas, and by those of the first version of CloudEvents. */
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

/** Attributes of a CloudEvent that may be missing: what the envelope has instead does not count. */
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

/** Of a CloudEvent: one of its own, or an extension. */
function attribute(view: EventView, path: KeyPath): Json | undefined {
  const own = inside(view, view.event.original, path.names, 0);
  return own === undefined && !OPTIONAL_ATTRIBUTES.has(path.head) ? envelope(view.event, path) : own;
}

/** An event in a schema of the publisher's own: `data` is a member of it, or all of it. */
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

/** A name that an event must have, folded, for a key to lead anywhere: of the first member below `data`, or of the first of all. */
export const tokenOf = ({ head, names }: KeyPath): string =>
  head === DATA && names.length > 1 ? fold(names[1]!) : head;

/** All such names of an event, and some that lead nowhere. */
export function tokensOf(view: EventView): ReadonlySet<string> {
  const { data, original } = view.event;
  const tokens = new Set([DATA, ...ENVELOPE.keys()]);
  for (const object of [data, original, view.member(original ?? data, DATA)]) {
    if (isObject(object)) for (const name of view.members(object).keys()) tokens.add(name);
  }
  return tokens;
}
