import { noContent } from '../../../kernel/http/index.ts';
import { eq, readAll } from '../../../kernel/store/index.ts';
import { userOf } from '../access/access.ts';
import { recordChange } from '../accounts/changes.ts';
import { routeCode } from '../jar.ts';
import { testers } from './collections.ts';

/** Accepts all group invitations sent to the user's address; does nothing if there are none. */
export const acceptGroupInvitations = routeCode([], {
  responses: { 204: 'Accepted' },
  async handle(call) {
    const { jar } = call;
    const { id: userId, email } = userOf(call);
    await jar.store.transact(async (tx) => {
      let accepted = 0;
      for (const { key } of await readAll(tx, testers, { filter: eq('email', email.toLowerCase()) })) {
        const tester = (await tx.get(testers, key))?.value;
        if (!tester || tester.userId !== undefined) continue;
        await tx.put(testers, key, { ...tester, userId });
        accepted++;
      }
      if (accepted > 0)
        await recordChange(tx, jar, 'write', `lifecycle/users/${userId}/distribution_groups`, { accepted });
    });
    return noContent();
  },
});
