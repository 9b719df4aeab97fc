import { workHandler } from '../../kernel/work/index.ts';
import { type Invitation, invitations, shareSubscriptions } from './collections.ts';
import { recordAnswer } from './consumers/invitations.ts';
import type { DataShareJar } from './jar.ts';
import { recordActivity } from './model/records.ts';
import { TYPES } from './types.ts';
import { EXPIRE_INVITATION, EXPIRE_SUBSCRIPTION } from './work.ts';

/** Work handlers for expirations. */

/** The expiry may have been postponed after the work item became due. */
const isPast = ({ expirationDate }: { readonly expirationDate?: number }, { clock }: DataShareJar): boolean =>
  expirationDate !== undefined && expirationDate <= clock.now();

export const expireInvitation = workHandler(EXPIRE_INVITATION, (item, jar: DataShareJar) =>
  jar.store.transact(async (tx) => {
    const { key, uid } = item.payload;
    const invitation = (await tx.get(invitations, key))?.value;
    if (invitation?.uid === uid && invitation.status === 'Pending' && isPast(invitation, jar)) {
      const expired: Invitation = { ...invitation, status: 'Withdrawn' };
      await tx.put(invitations, key, expired);
      await recordAnswer(tx, expired, jar.clock.now());
    }
    await tx.complete(item);
  }),
);

/** Same effect as a revocation by the provider; a current run stops with the reason `expired`. */
export const expireSubscription = workHandler(EXPIRE_SUBSCRIPTION, (item, jar: DataShareJar) =>
  jar.store.transact(async (tx) => {
    const { key, uid } = item.payload;
    const subscription = (await tx.get(shareSubscriptions, key))?.value;
    if (subscription?.uid === uid && subscription.status === 'Active' && isPast(subscription, jar)) {
      const { active, id, home } = subscription;
      const stopped = active && { active: { ...active, stop: 'expired' as const } };
      await tx.put(shareSubscriptions, key, { ...subscription, status: 'Revoked', ...stopped });
      const happening = {
        type: TYPES.subscription,
        effect: 'write',
        resourceUri: id,
        home,
        at: jar.clock.now(),
      } as const;
      await recordActivity(tx, happening, 'Succeeded');
    }
    await tx.complete(item);
  }),
);
