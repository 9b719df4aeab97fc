import { type Static, Type } from 'typebox';
import { type DeliveryRecord, deliveries } from '../../../kernel/delivery/index.ts';
import type { Jar } from '../../../kernel/service/index.ts';
import { isoTime } from '../../../kernel/time/index.ts';
import {
  type ChangeTrace,
  type Hold,
  type Outbox,
  outboxes,
  type SubscriptionEnd,
  type Verdict,
  type VerdictRule,
  type WindowEnd,
  windowEnds,
  windows,
} from '../notify/collections.ts';
import { WAITS_FOR } from '../notify/holds.ts';
import { removals, type Subscription, subscriptionKey, subscriptions } from '../webhooks/collection.ts';

const Optional = Type.Optional;

/** Notification state of a change for one subscription, with the reason. */
export const Explanation = Type.Object({
  subscription: Type.String(),
  /** Notified already, going to be notified, or not notified. */
  state: Type.Enum(['notified', 'sending', 'waiting', 'held', 'not notified']),
  rule: Type.Enum([
    'entry',
    'coalesced',
    'collection',
    'not-shown',
    'too-many',
    'unchanged',
    'left-out',
    'resource-changed',
    'subscription-removed',
    'undelivered',
    'unknown',
  ]),
  reason: Type.String(),
  held: Optional(
    Type.Object({
      because: Type.String(),
      releasedAt: Optional(Type.String()),
      releasedBy: Optional(Type.String()),
      releasedByTable: Optional(Type.String()),
    }),
  ),
  window: Optional(
    Type.Object({ id: Type.String(), closesAt: Optional(Type.String()), closedAt: Optional(Type.String()) }),
  ),
  delivery: Optional(
    Type.Object({
      id: Type.String(),
      state: Type.String(),
      attempts: Type.Integer(),
      lastStatus: Optional(Type.Integer()),
      nextAttemptAt: Optional(Type.String()),
      rule: Optional(Type.String()),
      /** Failed attempts of the message before the change joined it. */
      joinedAfter: Optional(Type.Integer()),
    }),
  ),
});

type Explained = Static<typeof Explanation>;

const HELD_BECAUSE: Readonly<Record<Hold, string>> = {
  delegated: 'the change was made by a delegated administrator',
  jobs: 'the change was made by a user who cannot schedule jobs',
};

const JOINED: Readonly<Record<VerdictRule, string>> = {
  entry: 'It is an entry of its own.',
  coalesced: 'It joined the entry of an earlier update of the same entity.',
  collection: 'So many records changed that one collection entry replaces their entries.',
  'not-shown': 'The entity that is subscribed to does not show the record.',
  'too-many': 'It was dropped: too many changes were stored already.',
};

/** The change happened before its subscription was changed to watch another resource. */
const RETARGETED = {
  state: 'not notified',
  rule: 'resource-changed',
  reason: 'The subscription was changed to another resource before it was notified.',
} as const;

type Retargeted = Pick<Verdict, 'retargeted'>;

const isRetargeted = ({ retargeted: then = 0 }: Verdict, { retargeted: now = 0 }: Retargeted): boolean => then !== now;

/** Explains the outcome of changes; caches what many changes share. */
export class Explainer {
  readonly #jar: Jar;
  readonly #known = new Map<string, Promise<unknown>>();

  constructor(jar: Jar) {
    this.#jar = jar;
  }

  async explain(trace: ChangeTrace): Promise<Explained[]> {
    const explained: Explained[] = [];
    for (const verdict of trace.verdicts) explained.push(await this.#verdict(trace, verdict));
    return explained;
  }

  async #verdict(trace: ChangeTrace, verdict: Verdict): Promise<Explained> {
    const { subscription, rule, waits } = verdict;
    const reason = JOINED[rule];
    if (waits === undefined) return { subscription, state: 'not notified', rule, reason };
    let end = await this.#end(waits);
    const held = end?.is === 'released' || (await this.#isHeld(trace, verdict)) ? heldView(trace, end) : undefined;
    const window = end?.is === 'released' ? end.into : waits;
    if (end?.is === 'released') end = await this.#end(window);
    const common = { subscription, rule, reason, ...(held && { held }) } as const;
    if (end?.is !== 'closed') return { ...common, ...(await this.#open(trace, verdict, window)) };
    return {
      ...common,
      window: { id: window, closedAt: isoTime(end.at) },
      ...(await this.#closed(trace, verdict, end)),
    };
  }

  async #open(trace: ChangeTrace, verdict: Verdict, id: string) {
    const { subscription } = verdict;
    const outbox = await this.#outbox(trace, subscription);
    const hold = (['delegated', 'jobs'] as const).find((name) => outbox?.[name]?.id === id);
    if (hold) return { state: 'held' as const, reason: `It waits for ${WAITS_FOR[hold]}.` };
    if (outbox?.ready?.id !== id) return this.#gone(trace, verdict);
    if (isRetargeted(verdict, outbox)) return RETARGETED;
    const closesAt = (await this.#once(`window ${outbox.window}`, () => this.#jar.store.get(windows, outbox.window)))
      ?.value.closesAt;
    return {
      state: 'waiting' as const,
      window: { id, ...(closesAt !== undefined && { closesAt: isoTime(closesAt) }) },
    };
  }

  async #closed(trace: ChangeTrace, verdict: Verdict, { subscriptions: ends }: WindowEnd & { is: 'closed' }) {
    const { subscription } = verdict;
    const end = ends[subscription];
    if (!end) return this.#gone(trace, verdict);
    const { left, unchanged, isCollection, merged = [] } = end;
    if (isRetargeted(verdict, end)) return RETARGETED;
    if (left !== undefined)
      return { state: 'not notified' as const, rule: 'left-out' as const, reason: sentence(left) };
    if (trace.type === 'updated' && unchanged?.some((record) => record.endsWith(`/${trace.id}`))) {
      const reason = 'It was left out: the record was not really modified.';
      return { state: 'not notified' as const, rule: 'unchanged' as const, reason };
    }
    const isMerged = trace.type === 'updated' && merged.some((resource) => resource.endsWith(`(${trace.id})`));
    const rule = isCollection ? 'collection' : 'coalesced';
    const shared = isCollection || isMerged ? ({ rule, reason: JOINED[rule] } as const) : {};
    return { ...shared, ...(await this.#delivered(trace, subscription, end)) };
  }

  async #delivered(
    trace: ChangeTrace,
    subscription: string,
    { delivery: id, isTakenBack = false, joinedAfter = 0 }: SubscriptionEnd,
  ) {
    const record = id === undefined ? undefined : await this.#delivery(id);
    if (id === undefined || !record) {
      return {
        state: 'not notified' as const,
        rule: 'unknown' as const,
        reason: 'The record of its delivery has been removed.',
      };
    }
    const delivery = { ...deliveryView(id, record), ...(joinedAfter > 0 && { joinedAfter }) };
    if (record.state === 'delivered' && !isTakenBack) return { state: 'notified' as const, delivery };
    const removed = await this.#removal(trace, subscription);
    if (!removed && isTakenBack) return { ...RETARGETED, delivery };
    if (record.state === 'queued' && !removed) return { state: 'sending' as const, delivery };
    const reason = removed
      ? `The subscription was removed (${removed.reason}): ${removed.detail}`
      : sentence(record.rule ?? '');
    const rule = removed ? ('subscription-removed' as const) : ('undelivered' as const);
    return { state: 'not notified' as const, rule, reason, delivery };
  }

  /** Neither waiting nor sent: the subscription has ended, or the delivery record has been removed. */
  async #gone(trace: ChangeTrace, verdict: Verdict) {
    const { subscription } = verdict;
    const removed = await this.#removal(trace, subscription);
    if (!removed) {
      const live = await this.#subscription(trace, subscription);
      if (live && isRetargeted(verdict, live)) return RETARGETED;
      const reason = 'The record of its outcome has been removed.';
      return { state: 'not notified' as const, rule: 'unknown' as const, reason };
    }
    const reason = `The subscription was removed (${removed.reason}) before it was sent: ${removed.detail}`;
    return { state: 'not notified' as const, rule: 'subscription-removed' as const, reason };
  }

  async #isHeld(trace: ChangeTrace, { subscription, waits }: Verdict): Promise<boolean> {
    if (trace.hold === undefined) return false;
    return (await this.#outbox(trace, subscription))?.[trace.hold]?.id === waits;
  }

  async #outbox({ tenantId }: ChangeTrace, subscription: string): Promise<Outbox | undefined> {
    const key = subscriptionKey(tenantId, subscription);
    return (await this.#once(`outbox ${key}`, () => this.#jar.store.get(outboxes, key)))?.value;
  }

  async #subscription({ tenantId }: ChangeTrace, id: string): Promise<Subscription | undefined> {
    const key = subscriptionKey(tenantId, id);
    return (await this.#once(`subscription ${key}`, () => this.#jar.store.get(subscriptions, key)))?.value;
  }

  async #end(id: string): Promise<WindowEnd | undefined> {
    return (await this.#once(`end ${id}`, () => this.#jar.store.get(windowEnds, id)))?.value;
  }

  async #delivery(id: string): Promise<DeliveryRecord | undefined> {
    return (await this.#once(`delivery ${id}`, () => this.#jar.store.get(deliveries, id)))?.value;
  }

  async #removal({ tenantId }: ChangeTrace, subscription: string) {
    const page = await this.#once(`removal ${subscription}`, () =>
      this.#jar.store.query(removals, {
        filter: { op: 'eq', field: 'subscriptionId', value: subscription },
        limit: 1,
      }),
    );
    return page.items.find(({ value }) => value.tenantId === tenantId)?.value;
  }

  #once<T>(name: string, read: () => Promise<T>): Promise<T> {
    const known = this.#known.get(name) ?? read();
    this.#known.set(name, known);
    return known as Promise<T>;
  }
}

function heldView({ hold = 'delegated' }: ChangeTrace, end: WindowEnd | undefined): NonNullable<Explained['held']> {
  const because = HELD_BECAUSE[hold];
  if (end?.is !== 'released') return { because };
  return { because, releasedAt: isoTime(end.at), releasedBy: end.byName, releasedByTable: end.table };
}

function deliveryView(
  id: string,
  { state, attempts, history, dueAt, rule }: DeliveryRecord,
): NonNullable<Explained['delivery']> {
  const status = history.at(-1)?.status;
  return {
    id,
    state,
    attempts,
    ...(status !== undefined && { lastStatus: status }),
    ...(state === 'queued' && { nextAttemptAt: isoTime(dueAt) }),
    ...(rule !== undefined && { rule }),
  };
}

const sentence = (words: string): string => `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
