import { withPrefix } from '../../kernel/arm/index.ts';
import type { GridEvent } from './event.ts';

const versions = new WeakMap<GridEvent, Map<string, GridEvent>>();

/**
 * The event with ids and types in the provider prefix that a subscription was written with. Cached per prefix, so that subscriptions with
 * the same prefix share it.
 */
export function withProviderPrefix(event: GridEvent, prefix = 'Vendor'): GridEvent {
  if (prefix === 'Vendor') return event;
  let known = versions.get(event);
  if (!known) {
    known = new Map();
    versions.set(event, known);
  }
  let spoken = known.get(prefix);
  if (!spoken) {
    spoken = prefixed(event, prefix);
    known.set(prefix, spoken);
  }
  return spoken;
}

/** Text of publishers stays unchanged; the jar writes the topic, and all of a management event. */
function prefixed(event: GridEvent, prefix: string): GridEvent {
  const topic = withPrefix(event.topic, prefix);
  if (!event.type.startsWith('Vendor.')) return { ...event, topic };
  return {
    ...event,
    topic,
    type: withPrefix(event.type, prefix),
    subject: withPrefix(event.subject, prefix),
    ...(event.data !== undefined && { data: JSON.parse(prefixedText(JSON.stringify(event.data), prefix)) }),
  };
}

const prefixedText = (json: string, prefix: string): string =>
  json.replace(/("|\/providers\/)Vendor\./g, `$1${prefix}.`);
