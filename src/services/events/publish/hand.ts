import type { Tx } from '../../../kernel/store/index.ts';
import { acceptEvents } from '../accept.ts';
import type { Publication } from '../event.ts';
import type { EventsJar } from '../jar.ts';
import { throughChannels } from '../partners/route-events.ts';
import { domainTopicFor } from '../topics/lookup.ts';
import { Mistakes, quote } from './mistakes.ts';
import type { Plan } from './plan.ts';
import type { Reading } from './reading.ts';

/** Hands events over for delivery, in the transaction that acknowledges them. */
export async function hand(tx: Tx, jar: EventsJar, plan: Plan, reading: Reading, channel?: string): Promise<void> {
  if (plan.routing) return acceptEvents(tx, jar, await throughChannels(tx, jar, plan, reading, channel));
  if (plan.isDomain) return acceptEvents(tx, jar, await inDomain(tx, jar, plan, reading));
  const { scopes } = plan;
  return acceptEvents(
    tx,
    jar,
    reading.events.map((event) => ({ event, scopes })),
  );
}

interface Place {
  readonly topic: string;
  readonly scopes: readonly string[];
}

/** An event for a topic of a domain goes to subscriptions of the topic and of the whole domain. */
async function inDomain(tx: Tx, jar: EventsJar, plan: Plan, { events, topicNames }: Reading): Promise<Publication[]> {
  const places = await placesOf(tx, jar, plan, topicNames);
  const mistakes = new Mistakes(plan.schema);
  const publications: Publication[] = [];
  for (const [index, event] of events.entries()) {
    const name = topicNames[index] ?? '';
    const place = places.get(name.toLowerCase());
    if (place) publications.push({ event: { ...event, topic: place.topic }, scopes: place.scopes });
    else
      mistakes.add(
        `[${index}]`,
        `is for the topic '${quote(name)}', which does not exist, and which the domain does not create automatically`,
      );
  }
  mistakes.refuse();
  return publications;
}

/** Locks topics in sorted order, so that requests which create the same topics cannot deadlock. */
async function placesOf(tx: Tx, jar: EventsJar, plan: Plan, names: readonly string[]): Promise<Map<string, Place>> {
  const spelt = new Map(names.toReversed().map((name) => [name.toLowerCase(), name]));
  const places = new Map<string, Place>();
  for (const key of [...spelt.keys()].sort()) {
    const found = await domainTopicFor(tx, jar, plan.resource, spelt.get(key) as string, 'event');
    if (found) places.set(key, { topic: found.id, scopes: [found.id.toLowerCase(), plan.key] });
  }
  return places;
}
