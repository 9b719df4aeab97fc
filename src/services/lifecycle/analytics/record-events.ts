import { shortId, uuid } from '../../../kernel/ids/index.ts';
import type { Jar } from '../../../kernel/service/index.ts';
import type { Tx } from '../../../kernel/store/index.ts';
import { EVENT_NAMES } from '../limits.ts';
import type { AppLog, Delivery } from '../logs/types.ts';
import { type EventDefinition, type EventValues, eventDefinitions, eventValues } from './collections.ts';
import { eventNameOf, propertiesOf } from './event-log.ts';
import { part } from './key-part.ts';

const COUNTED_AS_LENGTH = 10;
/** Property names per event over its lifetime. */
const MOST_PROPERTIES = 200;
/** Values per property, device and day, and for all properties of an event together. */
const MOST_VALUES = 500;
const MOST_VALUES_IN_ALL = 5000;

/** The `countedAs` ids of the events in a delivery. */
export class CountedEvents {
  readonly #byName: ReadonlyMap<string, EventDefinition>;

  constructor(byName: ReadonlyMap<string, EventDefinition>) {
    this.#byName = byName;
  }

  /** Undefined for other log types, and for events that exceed the app's limit. */
  of(log: AppLog): string | undefined {
    return log.type === 'event' ? this.#byName.get(eventNameOf(log))?.countedAs : undefined;
  }
}

/** Looks up the events of a delivery by name, and defines new ones. */
export async function defineEvents(tx: Tx, jar: Jar, { app, logs, receivedAt }: Delivery): Promise<CountedEvents> {
  const properties = new Map<string, Set<string>>();
  for (const log of logs) {
    if (log.type !== 'event') continue;
    const name = eventNameOf(log);
    const names = properties.get(name) ?? new Set();
    properties.set(name, names);
    for (const property of propertiesOf(log).keys()) names.add(property);
  }
  const definitions = new Map<string, EventDefinition>();
  // Sorted, because two deliveries with the same new events could otherwise deadlock.
  for (const name of [...properties.keys()].sort()) {
    const definition = await defineEvent(tx, jar, app.id, name, properties.get(name) as Set<string>, receivedAt);
    if (definition) definitions.set(name, definition);
  }
  return new CountedEvents(definitions);
}

async function defineEvent(
  tx: Tx,
  jar: Jar,
  appId: string,
  name: string,
  properties: ReadonlySet<string>,
  now: number,
): Promise<EventDefinition | undefined> {
  const key = definitionKey(appId, name);
  const seen = (await tx.get(eventDefinitions, key, 'none'))?.value;
  if (seen && lacking(seen, properties).length === 0) return seen;
  // The definition must be written, so it is read again with a lock.
  const known = (await tx.get(eventDefinitions, key))?.value;
  if (!known && !(await jar.limits.takeQuota(tx, { limit: EVENT_NAMES, scope: [appId] })).allowed) return undefined;
  const definition = known ?? newDefinition(name, now);
  const completed = { ...definition, properties: [...definition.properties, ...lacking(definition, properties)] };
  await tx.put(eventDefinitions, key, completed);
  return completed;
}

const newDefinition = (name: string, now: number): EventDefinition => ({
  id: uuid(),
  name,
  countedAs: newCountedAs(),
  properties: [],
  createdAt: new Date(now).toISOString(),
});

export const newCountedAs = (): string => shortId(COUNTED_AS_LENGTH);

export const definitionKey = (appId: string, name: string): string => `${appId}/${name}`;

/** The new properties, while the limit allows more. */
const lacking = ({ properties: known }: EventDefinition, properties: ReadonlySet<string>): string[] =>
  known.length >= MOST_PROPERTIES
    ? []
    : [...properties].filter((name) => !known.includes(name)).slice(0, MOST_PROPERTIES - known.length);

/** Records the property values of one day's events. */
export async function recordValues(
  tx: Tx,
  appId: string,
  installId: string,
  { day, version, logs }: { readonly day: string; readonly version: string; readonly logs: readonly AppLog[] },
  events: CountedEvents,
): Promise<void> {
  const byEvent = new Map<string, AppLog[]>();
  for (const log of logs) {
    const countedAs = events.of(log);
    if (countedAs === undefined || propertiesOf(log).size === 0) continue;
    const ofEvent = byEvent.get(countedAs);
    if (ofEvent) ofEvent.push(log);
    else byEvent.set(countedAs, [log]);
  }
  for (const [countedAs, ofEvent] of byEvent) {
    const key = [appId, day, countedAs, installId, part(version)].join('/');
    const known = (await tx.get(eventValues, key))?.value;
    await tx.put(eventValues, key, { version, properties: addValues(known, ofEvent) });
  }
}

function addValues(known: EventValues | undefined, logs: readonly AppLog[]): EventValues['properties'] {
  const properties = new Map(
    Object.entries(known?.properties ?? {}).map(([name, values]) => [name, new Map(Object.entries(values))]),
  );
  let inAll = [...properties.values()].reduce((sum, { size }) => sum + size, 0);
  for (const log of logs) {
    for (const [name, value] of propertiesOf(log)) {
      const values = properties.get(name) ?? new Map<string, number>();
      const count = values.get(value);
      if (count === undefined && (values.size >= MOST_VALUES || inAll >= MOST_VALUES_IN_ALL)) continue;
      if (count === undefined) inAll++;
      properties.set(name, values.set(value, (count ?? 0) + 1));
    }
  }
  return Object.fromEntries([...properties].map(([name, values]) => [name, Object.fromEntries(values)]));
}
