import { type Resource, resources } from '../../../kernel/arm/index.ts';
import { workHandler } from '../../../kernel/work/index.ts';
import { readTime } from '../forms/times.ts';
import type { EventsJar } from '../jar.ts';
import { forgetTarget, removeChannel } from './channel-store.ts';
import { channels } from './collections.ts';
import { lockTarget } from './lock.ts';
import { deleteTarget } from './target.ts';
import { EXPIRE_PARTNER } from './work.ts';

/** Removes a target that was not activated in time, with its channel. */
export const expirePartner = workHandler(EXPIRE_PARTNER, async (item, jar: EventsJar) => {
  const { target } = item.payload;
  await jar.store.transact(async (tx) => {
    await lockTarget(tx, target);
    const resource = (await tx.get(resources, target))?.value;
    await tx.complete(item);
    const at = resource && expiryOf(resource);
    const now = jar.clock.now();
    if (!resource || at === undefined || readTime(at) > now) return;
    const key = String(resource.extra.channel);
    const channel = (await tx.get(channels, key))?.value;
    const data = { reason: `It was not activated before ${at}.` };
    if (channel) {
      await removeChannel(tx, jar, channel);
      await tx.change({ source: 'events', kind: 'delete', subject: channel.id, outcome: 'Succeeded', at: now, data });
    }
    await forgetTarget(tx, resource, jar);
    await deleteTarget(tx, jar, resource);
    await tx.change({ source: 'events', kind: 'delete', subject: resource.id, outcome: 'Succeeded', at: now, data });
  });
});

/** Returns undefined once the resource has been activated. */
function expiryOf({ properties }: Resource): string | undefined {
  const { activationState, expirationTimeIfNotActivatedUtc: at } = properties;
  return activationState === 'NeverActivated' && typeof at === 'string' ? at : undefined;
}
