import { LONGEST_EVENT_NAME } from '../logs/read-log.ts';
import type { AppLog } from '../logs/types.ts';

/** SDKs enforce these limits themselves; values from other senders are truncated, and the event still counts. */
const MOST_PROPERTIES = 20;
const LONGEST_PROPERTY = 125;

/** For logs of type `event`, which have a name. */
export const eventNameOf = ({ content }: AppLog): string =>
  String(content.name).slice(0, LONGEST_EVENT_NAME).toWellFormed();

const known = new WeakMap<AppLog, ReadonlyMap<string, string>>();

/** The properties of an event as texts, whether typed or not. */
export function propertiesOf(log: AppLog): ReadonlyMap<string, string> {
  let properties = known.get(log);
  if (!properties) {
    properties = readProperties(log);
    known.set(log, properties);
  }
  return properties;
}

function readProperties({ content }: AppLog): ReadonlyMap<string, string> {
  const properties = new Map<string, string>();
  for (const [name, value] of sentProperties(content)) {
    if (properties.size >= MOST_PROPERTIES) break;
    const isUsable = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
    if (typeof name === 'string' && name !== '' && isUsable) properties.set(cut(name), cut(String(value)));
  }
  return properties;
}

/** `typedProperties` is an array of `{ type, name, value }`; older SDKs send `properties` as an object of texts. */
function* sentProperties({ typedProperties, properties }: AppLog['content']): Iterable<readonly [unknown, unknown]> {
  if (Array.isArray(typedProperties)) {
    for (const each of typedProperties) yield [each?.name, each?.value];
  } else if (typeof properties === 'object' && properties !== null) {
    yield* Object.entries(properties);
  }
}

const cut = (text: string): string => text.slice(0, LONGEST_PROPERTY).toWellFormed();
