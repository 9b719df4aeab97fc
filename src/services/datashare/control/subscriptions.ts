import { type Static, Type } from 'typebox';
import { entityShape, listAnswer, listOf, listQuery } from '../../../kernel/odata/index.ts';
import { eq, readAll } from '../../../kernel/store/index.ts';
import { isoTime } from '../../../kernel/time/index.ts';
import {
  mappings,
  type Run,
  runs,
  type ShareSubscription,
  shareSubscriptions,
  shares,
  type Trigger,
  triggers,
} from '../collections.ts';
import { nextTime } from '../consumers/trigger.ts';
import { type DataShareJar, routeCode } from '../jar.ts';
import { LOCATED, locate, OWNER } from './owner.ts';

const Optional = Type.Optional;
const Text = { type: 'Edm.String' } as const;
const Instant = { type: 'Edm.DateTimeOffset' } as const;

const SubscriptionView = Type.Object({
  ...OWNER,
  status: Type.String(),
  shareName: Type.String(),
  /** Missing after the provider has deleted the share. */
  shareId: Optional(Type.String()),
  providerName: Type.String(),
  providerTenantName: Type.String(),
  sharedAt: Type.String(),
  expirationDate: Optional(Type.String()),
  mappings: Type.Integer(),
  /** Of the trigger. */
  recurrenceInterval: Optional(Type.String()),
  synchronizationTime: Optional(Type.String()),
  triggerStatus: Optional(Type.String()),
  nextSynchronizationAt: Optional(Type.String()),
  lastSynchronizationId: Optional(Type.String()),
  lastStatus: Optional(Type.String()),
  lastQueuedAt: Optional(Type.String()),
});

interface Seen extends ShareSubscription {
  readonly parts: Parts;
}

const shape = entityShape<ShareSubscription>({
  name: 'share subscriptions',
  collection: shareSubscriptions,
  properties: {
    ...LOCATED,
    status: { ...Text, field: 'status' },
    shareName: { ...Text, read: ({ offer }: Seen) => offer.shareName },
    shareId: { ...Text, read: ({ parts }: Seen) => parts.shareId },
    providerName: { ...Text, read: ({ offer }: Seen) => offer.provider.name },
    providerTenantName: { ...Text, read: ({ offer }: Seen) => offer.provider.tenantName },
    sharedAt: Instant,
    expirationDate: Instant,
    mappings: { type: 'Edm.Int64', read: ({ parts }: Seen) => parts.mappings },
    triggerStatus: { ...Text, read: ({ parts }: Seen) => parts.trigger?.status },
    nextSynchronizationAt: { ...Instant, read: ({ parts }: Seen) => parts.nextAt },
    lastStatus: { ...Text, read: ({ parts }: Seen) => parts.last?.status },
    lastQueuedAt: { ...Instant, read: ({ parts }: Seen) => parts.last?.queuedAt },
  },
  scan: 'bounded',
});

export const listSubscriptions = routeCode([], {
  query: listQuery(shape),
  responses: { 200: listOf(SubscriptionView) },
  handle: (call) =>
    listAnswer(call, {
      shape,
      seen: async ({ value }) => ({ ...value, parts: await partsOf(call.jar, value) }),
      view: async ({ value }) => viewOf(value, await partsOf(call.jar, value)),
    }),
});

interface Parts {
  readonly shareId: string | undefined;
  readonly mappings: number;
  readonly trigger: Trigger | undefined;
  readonly nextAt: number | undefined;
  readonly last: Run | undefined;
}

async function partsOf({ store, clock }: DataShareJar, { uid, share, shareKey }: ShareSubscription): Promise<Parts> {
  const prefix = `${uid}/`;
  const newest = { filter: eq('subscription', uid), order: [{ field: 'orderTime', descending: true }], limit: 1 };
  const [source, mapped, followed, last] = await Promise.all([
    store.get(shares, shareKey),
    readAll(store, mappings, { prefix }),
    readAll(store, triggers, { prefix }),
    store.query(runs, newest),
  ]);
  const trigger = followed[0]?.value;
  return {
    shareId: source?.value.uid === share ? source.value.id : undefined,
    mappings: mapped.length,
    trigger,
    nextAt: trigger?.status === 'Active' ? nextTime(trigger, clock.now()) : undefined,
    last: last.items[0]?.value,
  };
}

function viewOf(subscription: ShareSubscription, parts: Parts): Static<typeof SubscriptionView> {
  const { status, offer, sharedAt, expirationDate, createdAt } = subscription;
  const { shareId, trigger, nextAt, last } = parts;
  return {
    ...locate(subscription),
    createdAt: isoTime(createdAt),
    status,
    shareName: offer.shareName,
    ...(shareId !== undefined && { shareId }),
    providerName: offer.provider.name,
    providerTenantName: offer.provider.tenantName,
    sharedAt: isoTime(sharedAt),
    ...(expirationDate !== undefined && { expirationDate: isoTime(expirationDate) }),
    mappings: parts.mappings,
    ...(trigger && {
      recurrenceInterval: trigger.recurrenceInterval,
      synchronizationTime: isoTime(trigger.synchronizationTime),
      triggerStatus: trigger.status,
    }),
    ...(nextAt !== undefined && { nextSynchronizationAt: isoTime(nextAt) }),
    ...(last && { lastSynchronizationId: last.id, lastStatus: last.status, lastQueuedAt: isoTime(last.queuedAt) }),
  };
}
