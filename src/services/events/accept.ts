import { uuid } from '../../kernel/ids/index.ts';
import type { Tx } from '../../kernel/store/index.ts';
import { type EventSubscription, intakes, type Trace } from './collections.ts';
import type { Definition, Destination } from './definition.ts';
import { DEFAULT_ATTEMPTS, DEFAULT_TTL_MINUTES } from './delivering/defaults.ts';
import { addressOf, policyFor } from './delivering/policy-names.ts';
import { FAN_OUT } from './delivering/work.ts';
import type { Publication } from './event.ts';
import { outputOf } from './forms.ts';
import type { EventsJar } from './jar.ts';
import { type ScopeSubscriptions, subscriptionsOf } from './matching/scope-indexes.ts';
import { withProviderPrefix } from './provider-prefix.ts';
import { traceOf } from './traces.ts';

interface Match {
  readonly key: string;
  readonly subscription: EventSubscription;
  readonly definition: Definition & { readonly destination: Destination };
}

interface Matched {
  readonly publication: Publication;
  readonly matches: readonly Match[];
  /** Number of subscriptions of its scopes that do not match. */
  readonly refused: number;
}

/** More deliveries than this are not written in the commit that acknowledges the events, but in later steps (`fanOut`). */
const MOST_AT_ONCE = 1000;

const MINUTE = 60_000;

/** For one event: number of subscriptions that it is delivered to, and number of subscriptions of its scopes that do not match. */
export interface Accepted {
  readonly matched: number;
  readonly refused: number;
}

/** Matches events with subscriptions and queues their deliveries, in the transaction that acknowledges the events. */
export async function acceptEvents(tx: Tx, jar: EventsJar, publications: readonly Publication[]): Promise<void> {
  await acceptCounted(tx, jar, publications);
}

/** Like `acceptEvents`; returns the counts for each event. */
export async function acceptCounted(
  tx: Tx,
  jar: EventsJar,
  publications: readonly Publication[],
): Promise<readonly Accepted[]> {
  const matched = await matchAll(tx, jar, publications);
  const accepted = matched.map(({ matches, refused }) => ({ matched: matches.length, refused }));
  const count = matched.reduce((sum, { matches }) => sum + matches.length, 0);
  if (count <= MOST_AT_ONCE) {
    const traces: Trace[] = [];
    for (const each of matched) await queue(tx, jar, each, traces);
    await jar.traces.note(tx, traces);
    return accepted;
  }
  const id = uuid();
  const at = jar.clock.now();
  const dated = publications.map((each) => ({ ...each, at: each.at ?? at }));
  await tx.put(intakes, id, { publications: dated, at, done: 0 });
  await tx.schedule(FAN_OUT.at(at, { id }, `events:fan-out:${id}`));
  return accepted;
}

/** Queues deliveries of acknowledged events, as many as one commit should write. Returns the number of events that were processed. */
export async function fanOutStep(tx: Tx, jar: EventsJar, publications: readonly Publication[]): Promise<number> {
  const indexes = new Map<string, ScopeSubscriptions | undefined>();
  const traces: Trace[] = [];
  let written = 0;
  let done = 0;
  for (const publication of publications) {
    if (written >= MOST_AT_ONCE) break;
    const matched = await matchOne(tx, jar, publication, indexes);
    await queue(tx, jar, matched, traces);
    written += matched.matches.length + 1;
    done += 1;
  }
  await jar.traces.note(tx, traces);
  return done;
}

async function matchAll(tx: Tx, jar: EventsJar, publications: readonly Publication[]): Promise<Matched[]> {
  const indexes = new Map<string, ScopeSubscriptions | undefined>();
  const matched: Matched[] = [];
  for (const publication of publications) matched.push(await matchOne(tx, jar, publication, indexes));
  return matched;
}

async function matchOne(
  tx: Tx,
  jar: EventsJar,
  publication: Publication,
  indexes: Map<string, ScopeSubscriptions | undefined>,
): Promise<Matched> {
  const matches: Match[] = [];
  let subscriptions = 0;
  for (const scope of publication.scopes) {
    if (!indexes.has(scope)) indexes.set(scope, await subscriptionsOf(jar, tx, scope));
    const index = indexes.get(scope);
    if (!index) continue;
    subscriptions += index.size;
    for (const { key, subscription } of index.matching(publication.event)) {
      const { live, liveSince = 0 } = subscription;
      if (live?.destination && liveSince <= (publication.at ?? liveSince))
        matches.push({ key, subscription, definition: { ...live, destination: live.destination } });
    }
  }
  return { publication, matches, refused: subscriptions - matches.length };
}

async function queue(tx: Tx, jar: EventsJar, matched: Matched, traces: Trace[]): Promise<void> {
  const { publication, matches, refused } = matched;
  const { event, quiet } = publication;
  const deliveries: { subscription: string; delivery: string }[] = [];
  for (const { key, subscription, definition } of matches) {
    const { destination, retryPolicy } = definition;
    const { maxDeliveryAttempts, eventTimeToLiveInMinutes } = retryPolicy;
    const delivery = await jar.delivery.enqueue(tx, {
      policy: policyFor(destination),
      destination: key,
      owner: key,
      subject: `${event.type} ${event.id}`,
      url: addressOf(destination),
      body: outputOf(withProviderPrefix(event, subscription.prefix), definition.eventDeliverySchema),
      ...(maxDeliveryAttempts !== DEFAULT_ATTEMPTS && { maxAttempts: maxDeliveryAttempts }),
      ...(eventTimeToLiveInMinutes !== DEFAULT_TTL_MINUTES && {
        expiresAt: jar.clock.now() + eventTimeToLiveInMinutes * MINUTE,
      }),
    });
    deliveries.push({ subscription: subscription.id, delivery });
  }
  if (!quiet || matches.length + refused > 0) traces.push(traceOf(jar, event, deliveries, refused));
}
