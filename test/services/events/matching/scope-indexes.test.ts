import { describe, expect, it, type TestContext } from 'vitest';
import type { Store, Tx } from '../../../../src/kernel/store/types.ts';
import { type EventSubscription, eventSubscriptions, scopes } from '../../../../src/services/events/collections.ts';
import type { Definition } from '../../../../src/services/events/definition.ts';
import type { GridEvent } from '../../../../src/services/events/event.ts';
import {
  explain,
  type Indexed,
  ScopeIndexes,
  type ScopeSubscriptions,
  subscriptionsOf,
  touchScope,
} from '../../../../src/services/events/matching/scope-indexes.ts';
import { engines, type Place } from '../../../kernel/store/contract/engines.ts';
import { aFilter, anEvent, TOPIC } from './samples.ts';

const SCOPE = TOPIC.toLowerCase();
const OTHER = `${TOPIC}2`;
const COLLECTIONS = [eventSubscriptions, scopes];

const WEB_HOOK: Definition['destination'] = {
  endpointType: 'WebHook',
  properties: { endpointBaseUrl: 'https://example.test/' },
};

const definition = (filter: object = {}, own: Partial<Definition> = {}): Definition => ({
  destination: WEB_HOOK,
  filter: aFilter(filter),
  eventDeliverySchema: 'EventGridSchema',
  retryPolicy: { maxDeliveryAttempts: 30, eventTimeToLiveInMinutes: 1440 },
  ...own,
});

const named = (name: string, live?: Definition, topic = TOPIC): EventSubscription => ({
  id: `${topic}/providers/Vendor.EventGrid/eventSubscriptions/${name}`,
  name,
  type: 'Vendor.EventGrid/eventSubscriptions',
  topic,
  subscriptionId: '10000000-0000-4000-8000-0000000000f1',
  topicType: 'Vendor.EventGrid.Topics',
  location: 'westeurope',
  provisioningState: live ? 'Succeeded' : 'Creating',
  ...(live && { live }),
  createdAt: 0,
  changedAt: 0,
});

/** Subscriptions in a store, written as the service writes them, read by several nodes. */
/** The part of a jar that matching needs. */
interface Node extends Indexed {
  readonly store: Store;
}

class Subscriptions {
  readonly #place: Place;
  readonly nodes: Node[] = [];

  constructor(place: Place) {
    this.#place = place;
  }

  async node(): Promise<Node> {
    const store = await this.#place.open(COLLECTIONS);
    const jar = { store, scopeIndexes: new ScopeIndexes(['Microsoft']) };
    this.nodes.push(jar);
    return jar;
  }

  get store(): Store {
    return this.nodes[0]!.store;
  }

  put(subscription: EventSubscription): Promise<void> {
    return this.store.transact((tx) => putIn(tx, subscription));
  }

  remove({ id, topic }: EventSubscription): Promise<void> {
    return this.store.transact(async (tx) => {
      if (await tx.delete(eventSubscriptions, id.toLowerCase())) await touchScope(tx, topic.toLowerCase(), -1);
    });
  }

  /** Names of the subscriptions that match, and the total number of subscriptions. */
  async matching(event: GridEvent = anEvent(), jar = this.nodes[0]!, scope = SCOPE): Promise<[string[], number]> {
    const found = await jar.store.transact((tx) => subscriptionsOf(jar, tx, scope));
    return [found?.matching(event).map(({ subscription }) => subscription.name) ?? [], found?.size ?? 0];
  }
}

async function putIn(tx: Tx, subscription: EventSubscription): Promise<void> {
  const key = subscription.id.toLowerCase();
  const known = await tx.get(eventSubscriptions, key);
  await tx.put(eventSubscriptions, key, subscription);
  await touchScope(tx, subscription.topic.toLowerCase(), known ? 0 : 1);
}

async function prepared(engine: (typeof engines)[number], context: TestContext): Promise<Subscriptions> {
  const subscriptions = new Subscriptions(await engine.place(context));
  await subscriptions.node();
  return subscriptions;
}

const red = { advancedFilters: [{ operatorType: 'StringIn', key: 'data.color', values: ['red'] }] };
const RED = anEvent({ data: { color: 'red' } });

describe.each(engines)('$name: the subscriptions of a scope', (engine) => {
  it('are empty without subscriptions', async (context) => {
    const subscriptions = await prepared(engine, context);
    expect(
      await subscriptions.store.transact((tx) => subscriptionsOf(subscriptions.nodes[0]!, tx, SCOPE)),
    ).toBeUndefined();
  });

  it('are those that match, and only of this scope', async (context) => {
    const subscriptions = await prepared(engine, context);
    await subscriptions.put(named('all', definition()));
    await subscriptions.put(named('red', definition(red)));
    await subscriptions.put(named('elsewhere', definition(), OTHER));
    expect(await subscriptions.matching()).toEqual([['all'], 2]);
    expect(await subscriptions.matching(RED)).toEqual([['all', 'red'], 2]);
    expect(await subscriptions.matching(RED, undefined, OTHER.toLowerCase())).toEqual([['elsewhere'], 1]);
  });

  it('follow every change: created, changed, no longer live, removed, created again', async (context) => {
    const subscriptions = await prepared(engine, context);
    await subscriptions.put(named('one', definition()));
    expect(await subscriptions.matching()).toEqual([['one'], 1]);
    await subscriptions.put(named('one', definition(red)));
    expect(await subscriptions.matching()).toEqual([[], 1]);
    expect(await subscriptions.matching(RED)).toEqual([['one'], 1]);
    await subscriptions.put(named('one'));
    expect(await subscriptions.matching(RED)).toEqual([[], 0]);
    await subscriptions.remove(named('one'));
    expect(await subscriptions.store.get(scopes, SCOPE)).toBeUndefined();
    expect(await subscriptions.matching(RED)).toEqual([[], 0]);
    await subscriptions.put(named('one', definition()));
    expect(await subscriptions.matching()).toEqual([['one'], 1]);
  });

  it('without a destination match nothing', async (context) => {
    const subscriptions = await prepared(engine, context);
    const { destination: _, ...nowhere } = definition();
    await subscriptions.put(named('nowhere', nowhere));
    await subscriptions.put(named('somewhere', definition()));
    expect(await subscriptions.matching()).toEqual([['somewhere'], 2]);
  });

  it('are visible inside the transaction that writes them, and unchanged if it fails', async (context) => {
    const subscriptions = await prepared(engine, context);
    const [jar] = subscriptions.nodes as [Node];
    await subscriptions.put(named('one', definition()));
    await subscriptions.matching();
    const failing = subscriptions.store.transact(async (tx) => {
      await putIn(tx, named('two', definition()));
      const inside = await subscriptionsOf(jar, tx, SCOPE);
      expect(inside?.size).toBe(2);
      throw new Error('changed my mind');
    });
    await expect(failing).rejects.toThrow('changed my mind');
    expect(await subscriptions.matching()).toEqual([['one'], 1]);
  });

  it('are read once and compiled once, until one of them changes', async (context) => {
    const subscriptions = await prepared(engine, context);
    const [jar] = subscriptions.nodes as [Node];
    await subscriptions.put(named('one', definition()));
    await subscriptions.put(named('two', definition()));
    const read = () => jar.store.transact((tx) => subscriptionsOf(jar, tx, SCOPE));
    const before = await read();
    expect(await read()).toBe(before);
    await subscriptions.put(named('two', definition(red)));
    const after = await read();
    const [one] = before!.matching(RED);
    expect(after).not.toBe(before);
    expect(after!.matching(RED)[0]).toBe(one);
    expect(after!.matching(RED)[1]).not.toBe(before!.matching(RED)[1]);
  });

  it('may be more than a page', async (context) => {
    const subscriptions = await prepared(engine, context);
    await subscriptions.store.transact(async (tx) => {
      for (let i = 0; i < 1201; i++)
        await putIn(tx, named(`s${String(i).padStart(4, '0')}`, definition({ subjectBeginsWith: `/orders/${i}` })));
    });
    const [names, size] = await subscriptions.matching(anEvent({ subject: '/orders/1200' }));
    expect(size).toBe(1201);
    expect(names).toEqual(['s0001', 's0012', 's0120', 's1200']);
    expect((await subscriptions.store.get(scopes, SCOPE))?.value).toEqual({ subscriptions: 1201 });
    const { store, nodes } = subscriptions;
    expect(await store.transact((tx) => explain(nodes[0]!, tx, SCOPE, anEvent(), 700))).toHaveLength(700);
    expect(await store.transact((tx) => explain(nodes[0]!, tx, SCOPE, anEvent(), 5000))).toHaveLength(1201);
  });

  it('are explained one by one, with the reason of each that does not match', async (context) => {
    const subscriptions = await prepared(engine, context);
    const { destination: _, ...nowhere } = definition();
    await subscriptions.put(named('a', definition()));
    await subscriptions.put(named('b', definition(red)));
    await subscriptions.put(named('c', definition({ includedEventTypes: ['Microsoft.Shop.Closed'] })));
    await subscriptions.put(named('d', nowhere));
    await subscriptions.put(named('e'));
    const verdicts = await explain(
      subscriptions.nodes[0]!,
      subscriptions.store,
      SCOPE,
      anEvent({ type: 'Vendor.Shop.Closed' }),
      10,
    );
    expect(verdicts).toEqual([
      { subscription: named('a').id, matches: true },
      { subscription: named('b').id, matches: false, reason: "data.color is absent, StringIn wants 'red'" },
      { subscription: named('c').id, matches: true },
      { subscription: named('d').id, matches: false, reason: 'the subscription has no destination' },
      { subscription: named('e').id, matches: false, reason: 'the subscription is not in force: it is Creating' },
    ]);
    expect(await explain(subscriptions.nodes[0]!, subscriptions.store, SCOPE, anEvent(), 2)).toHaveLength(2);
  });

  it('keep an exact count when many are made and removed at once', async (context) => {
    const subscriptions = await prepared(engine, context);
    const names = Array.from({ length: 20 }, (_, i) => `s${i}`);
    await Promise.all(names.map((name) => subscriptions.put(named(name, definition()))));
    expect((await subscriptions.store.get(scopes, SCOPE))?.value).toEqual({ subscriptions: 20 });
    await Promise.all(names.slice(1).map((name) => subscriptions.remove(named(name))));
    expect((await subscriptions.store.get(scopes, SCOPE))?.value).toEqual({ subscriptions: 1 });
    expect(await subscriptions.matching()).toEqual([['s0'], 1]);
  });
  if (!engine.shared) return;

  it('are the same on all nodes, and do not change during a transaction that has read them', async (context) => {
    const subscriptions = await prepared(engine, context);
    const other = await subscriptions.node();
    await subscriptions.put(named('one', definition()));
    expect(await subscriptions.matching(anEvent(), other)).toEqual([['one'], 1]);
    await subscriptions.put(named('two', definition()));
    expect(await subscriptions.matching(anEvent(), other)).toEqual([['one', 'two'], 2]);
    let writing: Promise<void> | undefined;
    let isWritten = false;
    await other.store.transact(async (tx) => {
      const first = await subscriptionsOf(other, tx, SCOPE);
      writing ??= subscriptions.put(named('three', definition())).then(() => {
        isWritten = true;
      });
      // Enough reads for the other node to complete its write if it did not have to wait.
      for (let i = 0; i < 50; i++) expect(await subscriptionsOf(other, tx, SCOPE)).toBe(first);
      expect(isWritten).toBe(false);
    });
    await writing;
    expect(await subscriptions.matching(anEvent(), other)).toEqual([['one', 'three', 'two'], 3]);
  });
});

it('stay correct for more scopes than are cached; the least recently used are evicted', async (context) => {
  const subscriptions = await prepared(engines[0]!, context);
  const [jar] = subscriptions.nodes as [Node];
  const topics = Array.from({ length: 1100 }, (_, i) => `${TOPIC}-${i}`);
  await subscriptions.store.transact(async (tx) => {
    for (const topic of topics) await putIn(tx, named('one', definition(), topic));
  });
  const known = await subscriptions.store.transact(async (tx) => {
    const found: (ScopeSubscriptions | undefined)[] = [];
    for (const topic of topics) found.push(await subscriptionsOf(jar, tx, topic.toLowerCase()));
    return found;
  });
  expect(known.map((each) => each?.matching(anEvent()).map(({ subscription }) => subscription.topic))).toEqual(
    topics.map((topic) => [topic]),
  );
  const again = (n: number) => subscriptions.store.transact((tx) => subscriptionsOf(jar, tx, topics[n]!.toLowerCase()));
  expect(await again(1099)).toBe(known[1099]);
  expect(await again(100)).toBe(known[100]);
  expect(await again(0)).not.toBe(known[0]);
  // It replaced the least recently used scope.
  expect(await again(101)).not.toBe(known[101]);
  expect(await again(100)).toBe(known[100]);
});
