import { openSqlite } from '../../src/kernel/store/index.ts';
import { type EventSubscription, eventSubscriptions, scopes } from '../../src/services/events/collections.ts';
import type { GridEvent } from '../../src/services/events/event.ts';
import { compileFilter } from '../../src/services/events/matching/compile.ts';
import { FilterIndex } from '../../src/services/events/matching/scope-index.ts';
import { ScopeIndexes, subscriptionsOf, touchScope } from '../../src/services/events/matching/scope-indexes.ts';
import { spellingOf } from '../../src/services/events/matching/spelling.ts';
import { normalFilter } from '../../src/services/events/matching/validate.ts';
import type { Case, Comparison } from '../lib/case.ts';
import { takeTurns, timed } from '../lib/rounds.ts';

const MATCHING = 10;
const MANY = 10_000;
/** Number of scopes over which the many subscriptions are spread. */
const SCOPES = MANY / MATCHING;
const SPELLING = spellingOf(['Microsoft']);

const TYPE = 'Shop.OrderPlaced';
const EVENT: GridEvent = {
  schema: 'EventGridSchema',
  id: '6a7e8feb-b491-4cf7-a9f1-bf3703467718',
  type: TYPE,
  subject: '/shops/0007/orders/4711/items/1.json',
  time: '2024-05-01T10:00:00Z',
  dataVersion: '1',
  topic: '/subscriptions/s/resourceGroups/g/providers/Vendor.EventGrid/topics/orders',
  data: { color: 'c0007', size: 7, customer: { name: 'Ada', country: 'uk' }, tags: ['new', 'gift'], total: 99.5 },
};

/** Zero-padded, so that no value is a prefix of another. */
const digits = (n: number): string => String(n).padStart(4, '0');
const only = (operatorType: string, key: string, operand: object): object => ({
  includedEventTypes: [TYPE],
  advancedFilters: [{ operatorType, key, ...operand }],
});

interface Distribution {
  readonly title: string;
  /** A filter that matches, and filters that do not; `n` numbers the latter. */
  readonly matching: object;
  readonly other: (n: number) => object;
}

/** The ways in which the many non-matching filters differ from the event. */
const DISTRIBUTIONS: readonly Distribution[] = [
  {
    title: 'other types',
    matching: { includedEventTypes: [TYPE] },
    other: (n) => ({ includedEventTypes: [`Shop.Other${digits(n)}`] }),
  },
  {
    title: 'other beginnings of the subject',
    matching: { includedEventTypes: [TYPE], subjectBeginsWith: '/shops/0007/' },
    other: (n) => ({ includedEventTypes: [TYPE], subjectBeginsWith: `/shops/${digits(n)}/` }),
  },
  {
    title: 'other beginnings of any length, all types',
    matching: { subjectBeginsWith: '/shops/0007/' },
    other: (n) => ({ subjectBeginsWith: `/shops/${digits(n)}/orders/4711/items/1.json`.slice(0, 12 + (n % 20)) }),
  },
  {
    title: 'other values of StringIn',
    matching: only('StringIn', 'data.color', { values: ['c0007', 'red'] }),
    other: (n) => only('StringIn', 'data.color', { values: [`c${digits(n)}`, `d${digits(n)}`] }),
  },
  {
    title: 'other values of NumberIn, all with the same color',
    matching: only('NumberIn', 'data.size', { values: [7] }),
    other: (n) => ({
      includedEventTypes: [TYPE],
      advancedFilters: [
        { operatorType: 'StringIn', key: 'data.color', values: ['c0007'] },
        { operatorType: 'NumberIn', key: 'data.size', values: [n] },
      ],
    }),
  },
  {
    title: 'other keys',
    matching: only('StringIn', 'data.color', { values: ['c0007'] }),
    other: (n) => only('StringIn', `data.k${digits(n)}`, { values: ['c0007'] }),
  },
];

export const eventMatching: Case = {
  name: 'event-matching',
  summary: `Finding the ${MATCHING} subscriptions that an event is for among ${MATCHING} of one scope, and among ${MANY} of which the others cannot match.`,
  async run({ quick, say }) {
    const comparisons: Comparison[] = [];
    for (const distribution of DISTRIBUTIONS) {
      say(distribution.title);
      comparisons.push(await compare(distribution, quick));
    }
    say('other scopes');
    return [...comparisons, await otherScopes(quick)];
  },
};

async function compare({ title, matching, other }: Distribution, quick: boolean): Promise<Comparison> {
  const few = Array.from({ length: MATCHING }, () => matching);
  const others = Array.from({ length: MANY - MATCHING }, (_, i) => other(i < 7 ? i : i + 1));
  // The matching subscriptions are in the middle of the list.
  const many = others.toSpliced(MANY / 2, 0, ...few);
  const events = quick ? 20_000 : 200_000;
  const figures = await takeTurns(
    quick ? 5 : 21,
    { few: matcher(few, events), many: matcher(many, events) },
    { warmUps: 2 },
  );
  return {
    title: `one event, ${title}`,
    unit: 'µs',
    baseline: { name: `${MATCHING} subscriptions`, values: figures.few },
    subject: { name: `${MANY} subscriptions`, values: figures.many },
    target: { atMost: 3 },
  };
}

/** Includes a publisher's check for every event: whether the cached index is still valid according to the store, in the transaction. */
async function otherScopes(quick: boolean): Promise<Comparison> {
  const few = await inStore([EVENT.topic], quick);
  const many = await inStore(
    [EVENT.topic, ...Array.from({ length: SCOPES - 1 }, (_, i) => `${EVENT.topic}-${i}`)],
    quick,
  );
  const figures = await takeTurns(quick ? 5 : 21, { few: few.measure, many: many.measure }, { warmUps: 2 });
  await Promise.all([few.close(), many.close()]);
  return {
    title: 'one event, other scopes, through the store',
    unit: 'µs',
    baseline: { name: `${MATCHING} subscriptions`, values: figures.few },
    subject: { name: `${MANY} subscriptions`, values: figures.many },
    target: { atMost: 3 },
  };
}

/** Each topic has as many subscriptions as match. */
async function inStore(topics: readonly string[], quick: boolean) {
  const store = await openSqlite({ collections: [eventSubscriptions, scopes] });
  const jar = { scopeIndexes: new ScopeIndexes(['Microsoft']) };
  await store.transact(async (tx) => {
    for (const topic of topics) {
      for (let i = 0; i < MATCHING; i++) {
        const subscription = subscriptionOf(topic, `s${i}`);
        await tx.put(eventSubscriptions, subscription.id.toLowerCase(), subscription);
        await touchScope(tx, topic.toLowerCase(), 1);
      }
    }
    for (const topic of topics) await subscriptionsOf(jar, tx, topic.toLowerCase());
  });
  const events = quick ? 2000 : 20_000;
  const scope = EVENT.topic.toLowerCase();
  const measure = async (): Promise<number> => {
    const took = await timed(() =>
      store.transact(async (tx) => {
        for (let i = 0; i < events; i++) {
          const found = (await subscriptionsOf(jar, tx, scope))?.matching({ ...EVENT }) ?? [];
          if (found.length !== MATCHING) throw new Error(`${found.length} subscriptions match`);
        }
      }),
    );
    return (took / events) * 1000;
  };
  return { measure, close: () => store.close() };
}

const subscriptionOf = (topic: string, name: string): EventSubscription => ({
  id: `${topic}/providers/Vendor.EventGrid/eventSubscriptions/${name}`,
  name,
  type: 'Vendor.EventGrid/eventSubscriptions',
  topic,
  subscriptionId: 's',
  topicType: 'Vendor.EventGrid.Topics',
  location: 'westeurope',
  provisioningState: 'Succeeded',
  live: {
    destination: { endpointType: 'WebHook', properties: { endpointBaseUrl: 'https://example.test/' } },
    filter: normalFilter({ includedEventTypes: [TYPE] }),
    eventDeliverySchema: 'EventGridSchema',
    retryPolicy: { maxDeliveryAttempts: 30, eventTimeToLiveInMinutes: 1440 },
  },
  createdAt: 0,
  changedAt: 0,
});

/** Returns the microseconds per event. */
function matcher(sent: readonly object[], events: number): () => Promise<number> {
  const filters = sent.map((filter, item) => ({ compiled: compileFilter(normalFilter(filter), SPELLING), item }));
  const index = new FilterIndex(filters, SPELLING);
  return async () => {
    const began = performance.now();
    for (let i = 0; i < events; i++) {
      // A new object, like every incoming event, so that nothing is cached from the last one.
      const found = index.matching({ ...EVENT });
      if (found.length !== MATCHING) throw new Error(`${found.length} subscriptions match`);
    }
    return ((performance.now() - began) / events) * 1000;
  };
}
