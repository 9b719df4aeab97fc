import { Type } from 'typebox';
import {
  type ArmFacts,
  armFacts,
  beginOperation,
  endOperation,
  listPage,
  mutate,
  originOf,
  type Subscription,
  withPrefix,
} from '../../../kernel/arm/index.ts';
import { type Answer, ok } from '../../../kernel/http/index.ts';
import { LIST_QUERY } from '../../../kernel/odata/index.ts';
import { allOf, eq, type Reader, type Stored, type Tx } from '../../../kernel/store/index.ts';
import { isoTime } from '../../../kernel/time/index.ts';
import { workHandler } from '../../../kernel/work/index.ts';
import { type ShareSubscription, shareSubscriptions } from '../collections.ts';
import { dataShareErrors } from '../errors.ts';
import { armCode, type DataShareCall, type DataShareJar } from '../jar.ts';
import { object, read, time } from '../model/body.ts';
import { cachedReader, findShare, type SharePlace } from '../model/places.ts';
import { recordActivity } from '../model/records.ts';
import { expiryOf } from '../model/times.ts';
import { operationAddress } from '../operations.ts';
import { NAMESPACE, TYPES } from '../types.ts';
import { EXPIRE_SUBSCRIPTION, expiryId, FINISH_REVOCATION } from '../work.ts';

/** The provider's view of the consumers of a share, and its operations on them. */

export const CONSUMER = {
  type: TYPES.consumer,
  operations: 'ProviderShareSubscriptions',
  params: ['accountName', 'shareName', 'providerShareSubscriptionId'],
} as const;

const BODY = object({ properties: object({ expirationDate: time() }, { implied: true }) });

const viewOf =
  ({ id }: Pick<SharePlace, 'id'>, prefix: string) =>
  (it: ShareSubscription): Record<string, unknown> => ({
    id: withPrefix(`${id}/shareSubscriptions/${it.uid}`, prefix),
    name: it.uid,
    type: withPrefix(`${NAMESPACE}/${TYPES.consumer}`, prefix),
    systemData: it.systemData,
    properties: {
      shareSubscriptionObjectId: it.uid,
      consumerName: it.consumer.name,
      ...(it.consumer.email !== undefined && { consumerEmail: it.consumer.email }),
      consumerTenantName: it.consumer.tenantName,
      createdAt: isoTime(it.createdAt),
      sharedAt: isoTime(it.sharedAt),
      providerName: it.offer.provider.name,
      ...(it.offer.provider.email !== undefined && { providerEmail: it.offer.provider.email }),
      shareSubscriptionStatus: it.status,
      expirationDate: it.expirationDate === undefined ? null : isoTime(it.expirationDate),
    },
  });

async function findConsumer(
  reader: Pick<Reader, 'query'>,
  { uid }: SharePlace,
  id: string,
): Promise<Stored<ShareSubscription>> {
  const filter = allOf(eq('share', uid), eq('uid', id.toLowerCase()));
  const { items } = await reader.query(shareSubscriptions, { filter, limit: 1 });
  if (!items[0]) throw dataShareErrors.ShareSubscriptionNotFound({ name: id });
  return items[0];
}

export const getConsumer = armCode(CONSUMER.params, {
  async handle(call, arm) {
    const share = await findShare(cachedReader(call.jar.store), arm, call.params);
    const { value } = await findConsumer(call.jar.store, share, call.params.providerShareSubscriptionId);
    return ok(viewOf(share, arm.prefix)(value));
  },
});

export const listConsumers = armCode(['accountName', 'shareName'], {
  query: Type.Object(LIST_QUERY),
  async handle(call, arm) {
    const share = await findShare(cachedReader(call.jar.store), arm, call.params);
    const source = { filter: eq('share', share.uid), order: [{ field: 'uid' }] };
    return listPage(call, shareSubscriptions, source, viewOf(share, arm.prefix));
  },
});

/** Copying stops when this response's transaction commits; the operation ends when a current run has stopped. */
export const revoke = armCode(CONSUMER.params, {
  responses: { 202: 'The consumer; the headers give the URL of the revocation' },
  async handle(call, arm) {
    const { jar } = call;
    const { operation, value, share } = await mutate(call, async (tx) => {
      const { place, consumer, key } = await holdConsumer(tx, call, arm);
      if (consumer.status !== 'Active') throw notActive(consumer);
      const now = jar.clock.now();
      const { subscriptionId } = arm.subscription as Subscription;
      const { location } = place.share.home;
      const about = { subscriptionId, location, namespace: NAMESPACE, origin: originOf(call) };
      const begun = await beginOperation(tx, about, now);
      const { active, ...rest } = consumer;
      const stopped: ShareSubscription = {
        ...rest,
        status: 'Revoking',
        revocation: begun.id,
        ...(active && { active: { ...active, stop: 'revoked' } }),
      };
      await tx.put(shareSubscriptions, key, stopped);
      if (!active) await scheduleEnd(tx, key, stopped, now);
      return { operation: begun, value: stopped, share: place };
    });
    const address = operationAddress(call, operation);
    return {
      status: 202,
      headers: { 'azure-asyncoperation': address, location: address },
      body: viewOf(share, armFacts(call).prefix)(value),
    };
  },
});

/** Schedules the end of a revocation, if there is one. Called at once if no run is active, otherwise when the stopped run ends. */
export async function scheduleEnd(
  tx: Tx,
  key: string,
  { uid, revocation }: Pick<ShareSubscription, 'uid' | 'revocation'>,
  now: number,
): Promise<void> {
  if (revocation !== undefined) await tx.schedule(FINISH_REVOCATION.at(now, { key, uid, operation: revocation }));
}

export const finishRevocation = workHandler(FINISH_REVOCATION, (item, jar: DataShareJar) =>
  jar.store.transact(async (tx) => {
    const { key, uid, operation } = item.payload;
    const now = jar.clock.now();
    const consumer = (await tx.get(shareSubscriptions, key))?.value;
    if (consumer?.uid === uid && consumer.revocation === operation) {
      const { revocation: _, ...rest } = consumer;
      // The provider may have deleted the share meanwhile; that status is final.
      const status = rest.status === 'Revoking' ? 'Revoked' : rest.status;
      await tx.put(shareSubscriptions, key, { ...rest, status });
      await recordActivity(
        tx,
        { type: TYPES.subscription, effect: 'write', resourceUri: rest.id, home: rest.home, at: now },
        'Succeeded',
      );
    }
    await endOperation(tx, operation, { status: 'Succeeded' }, now);
    await tx.complete(item);
  }),
);

export const reinstate = armCode(CONSUMER.params, {
  body: BODY.schema(),
  bodyOptional: true,
  async handle(call, arm) {
    const expiry = expiryIn(call, arm);
    return changed(call, arm, (consumer) => {
      if (consumer.status !== 'Revoked') throw wrongStatus(consumer, 'Revoked');
      const { expirationDate: _, ...rest } = consumer;
      return { ...rest, ...expiry, status: 'Active', sharedAt: call.jar.clock.now() };
    });
  },
});

export const adjust = armCode(CONSUMER.params, {
  body: BODY.schema(),
  bodyOptional: true,
  async handle(call, arm) {
    const expiry = expiryIn(call, arm);
    return changed(call, arm, (consumer) => {
      if (consumer.status !== 'Active') throw notActive(consumer);
      const { expirationDate: _, ...rest } = consumer;
      return { ...rest, ...expiry };
    });
  },
});

type ConsumerCall = DataShareCall<Readonly<Record<(typeof CONSUMER.params)[number], string>>>;

const expiryIn = (call: ConsumerCall, arm: ArmFacts) =>
  expiryOf(read(BODY, call.body, arm.view.rules).properties.expirationDate, call.jar.clock.now());

async function changed(
  call: ConsumerCall,
  arm: ArmFacts,
  change: (consumer: ShareSubscription) => ShareSubscription,
): Promise<Answer> {
  const { place, value } = await mutate(call, async (tx) => {
    const { place, consumer, key } = await holdConsumer(tx, call, arm);
    const value = change(consumer);
    await tx.cancel(expiryId(value.uid));
    if (value.expirationDate !== undefined)
      await tx.schedule(EXPIRE_SUBSCRIPTION.at(value.expirationDate, { key, uid: value.uid }, expiryId(value.uid)));
    await tx.put(shareSubscriptions, key, value);
    return { place, value };
  });
  return ok(viewOf(place, arm.prefix)(value));
}

async function holdConsumer(tx: Tx, call: ConsumerCall, arm: ArmFacts) {
  const place = await findShare(tx, arm, call.params);
  const { key } = await findConsumer(tx, place, call.params.providerShareSubscriptionId);
  // The query result may be outdated; the locked document is current.
  const consumer = (await tx.get(shareSubscriptions, key))?.value;
  if (!consumer) throw dataShareErrors.ShareSubscriptionNotFound({ name: call.params.providerShareSubscriptionId });
  return { place, consumer, key };
}

const notActive = (consumer: ShareSubscription): Error => wrongStatus(consumer, 'Active');

const wrongStatus = ({ uid, status }: ShareSubscription, wanted: string): Error =>
  dataShareErrors.ShareSubscriptionInWrongState({ name: uid, status, wanted });
