import { type Resource, resources } from '../../../kernel/arm/index.ts';
import { pagesOf, type Tx } from '../../../kernel/store/index.ts';
import { readTime } from '../forms/times.ts';
import type { EventsJar } from '../jar.ts';
import { removeSubscriptionsOf } from '../subscriptions/remove.ts';
import { type Channel, channelKey, channels, type Readiness, targetKey } from './collections.ts';
import { CHANNELS } from './limits.ts';
import { lockTarget } from './lock.ts';
import { EXPIRE_PARTNER, partnerExpiryItem } from './work.ts';

/** Keeps channels and their targets (partner topics and partner destinations) consistent. */

const PAGE = 200;

export const CHANNEL_GONE = 'IdleDueToMirroredChannelResourceDeletion';

/** The message of a channel, as members of its target: partner topics of channels also have it under the older name. */
export function messagesOf({ form, target, message }: Channel): Readonly<Record<string, string>> {
  if (message === undefined) return {};
  const isTopic = target.kind === 'partnerTopics';
  return {
    ...(isTopic && { partnerTopicFriendlyDescription: message }),
    ...(form === 'channels' && { messageForActivation: message }),
  };
}

/** Reads a channel and locks it together with its target until the transaction ends. */
export async function lockChannel(tx: Tx, key: string): Promise<Channel | undefined> {
  const seen = (await tx.get(channels, key, 'none'))?.value;
  if (!seen) return undefined;
  await lockTarget(tx, targetKey(seen));
  return (await tx.get(channels, key))?.value;
}

/** Deletes a channel. Its target stays with the customer, and still expires if it is never activated. */
export async function removeChannel(tx: Tx, jar: EventsJar, channel: Channel): Promise<void> {
  await dropChannel(tx, channel);
  await jar.limits.freeQuota(tx, { limit: CHANNELS, scope: [channel.namespace] });
}

async function dropChannel(tx: Tx, channel: Channel): Promise<void> {
  const key = channelKey(channel);
  await tx.delete(channels, key);
  const target = (await tx.get(resources, targetKey(channel)))?.value;
  if (target?.extra.channel !== key) return;
  const properties = { ...target.properties, provisioningState: CHANNEL_GONE };
  await tx.put(resources, targetKey(channel), { ...target, properties });
}

/** Deletes all channels of a partner namespace, in the transaction that deletes the namespace. */
export async function removeChannelsOf(tx: Tx, jar: EventsJar, namespace: string): Promise<void> {
  let count = 0;
  for await (const page of pagesOf(tx, channels, { prefix: `${namespace}/`, page: PAGE })) {
    for (const { value } of page) {
      await lockTarget(tx, targetKey(value));
      await dropChannel(tx, value);
    }
    count += page.length;
  }
  await jar.limits.freeQuota(tx, { limit: CHANNELS, scope: [namespace], count });
}

/** Deletes what belongs to a partner topic or partner destination; its channel stays and shows the deletion. */
export async function forgetTarget(tx: Tx, resource: Resource, jar: EventsJar): Promise<void> {
  const key = resource.id.toLowerCase();
  await lockTarget(tx, key);
  await noteReadiness(tx, resource, 'Deleted');
  await removeSubscriptionsOf(tx, jar, key);
}

/** Records the customer's decision in the channel; from then on the target does not expire. */
export async function noteReadiness(tx: Tx, { id, extra }: Resource, readiness: Readiness): Promise<void> {
  await tx.cancel(partnerExpiryItem(id.toLowerCase()));
  const key = typeof extra.channel === 'string' ? extra.channel : '';
  const channel = (await tx.get(channels, key))?.value;
  if (channel && targetKey(channel) === id.toLowerCase()) await tx.put(channels, key, { ...channel, readiness });
}

/** Must be called with every change of the expiry time while the target has never been activated. */
export async function scheduleExpiry(tx: Tx, channel: Channel): Promise<void> {
  const target = targetKey(channel);
  await tx.schedule(EXPIRE_PARTNER.at(readTime(channel.expiresAt), { target }, partnerExpiryItem(target)));
}
