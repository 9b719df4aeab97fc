import { addressOf } from '../../shared/address.ts';
import { control, dataOf, type operations } from '../../shared/api/control.ts';
import { type Data, useData } from '../../shared/api/use-data.ts';
import type { RowOf } from '../../shared/list/pages.ts';
import type { Signal } from '../../shared/live/signals.ts';

type Answer<Operation extends keyof operations> = operations[Operation] extends {
  responses: { 200: { content: { 'application/json': infer Body } } };
}
  ? Body
  : never;

export type Topic = RowOf<'/_jar/events/topics'>;
export type Subscription = RowOf<'/_jar/events/subscriptions'>;
export type TraceRow = RowOf<'/_jar/events/traces'>;
export type Trace = Answer<'Jar_GetEventTrace'>;
export type Verdict = NonNullable<Trace['subscriptions']>[number];
export type Delivery = Answer<'Jar_GetDelivery'>;

/** Of every part of the management API that the page calls. */
export const VERSION = 'api-version=2025-02-15';

/** Publications, and changes of resources, which are events too. */
export const PUBLISHED: readonly Signal[] = ['/events', '/api/events', '/_jar/events', 'changes'];
/** Handshakes decide about the state of subscriptions. */
export const CONFIGURED: readonly Signal[] = ['changes', 'deliveries', '/subscriptions', '/providers'];

export const traceAddress = (id: string): string => addressOf('events', 'traces', id);
export const topicAddress = (id: string): string => addressOf('events', 'topics', id);
export const subscriptionAddress = (id: string): string => addressOf('events', 'subscriptions', id);

const MOST_TOPICS = 500;

/** All topics, for choices; the list of topics reads page by page. */
export const useTopics = (): Data<readonly Topic[]> =>
  useData(
    ['events', 'topics'],
    async (signal) =>
      (await dataOf(control.GET('/_jar/events/topics', { params: { query: { $top: MOST_TOPICS } }, signal }))).value,
    { on: CONFIGURED },
  );

/** The topic or scope that the subscriptions of a text are compared with: ids are equal in any case. */
export const isSameId = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

/** The name of a topic or scope in a list: the last name, with that of a domain before it. */
export function shortScope(id: string): string {
  const parts = id.split('/').filter(Boolean);
  const isDomainTopic = parts.at(-4)?.toLowerCase() === 'domains';
  return isDomainTopic ? `${parts.at(-3)} / ${parts.at(-1)}` : (parts.at(-1) ?? id);
}
