import type { LegacyWork } from '../../../kernel/whole-service.ts';
import { noteChange } from '../accounts/changes.ts';
import { invitations } from '../collections.ts';
import { isOver, subjectOf } from './pending.ts';

/** Nobody has answered it in time. */
export const expireInvitation: Pick<LegacyWork, 'run'> = {
  async run(item, jar) {
    const { id } = item.payload as { id: string };
    await jar.store.transact(async (tx) => {
      const invitation = (await tx.get(invitations, id))?.value;
      await tx.complete(item);
      if (!invitation || !isOver(invitation, jar)) return;
      await tx.delete(invitations, id);
      await noteChange(tx, jar, 'delete', subjectOf(invitation), { email: invitation.email, reason: 'expired' });
    });
  },
};
