import type { Jar } from '../../../kernel/service/index.ts';
import { workHandler } from '../../../kernel/work/index.ts';
import { recordChange } from '../accounts/changes.ts';
import { invitations } from '../collections.ts';
import { isOver, subjectOf } from './pending.ts';
import { EXPIRE_INVITATION } from './work.ts';

/** The invitation was not answered in time. */
export const expireInvitation = workHandler(EXPIRE_INVITATION, async (item, jar: Jar) => {
  const { id } = item.payload;
  await jar.store.transact(async (tx) => {
    const invitation = (await tx.get(invitations, id))?.value;
    await tx.complete(item);
    if (!invitation || !isOver(invitation, jar)) return;
    await tx.delete(invitations, id);
    await recordChange(tx, jar, 'delete', subjectOf(invitation), { email: invitation.email, reason: 'expired' });
  });
});
