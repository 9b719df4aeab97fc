import { eq, readAll, type Tx } from '../../../kernel/store/index.ts';
import type { OnDelete } from '../apps/deletion.ts';
import { invitations } from '../collections.ts';
import { expiryItem } from './work.ts';

export async function dropInvitation(tx: Tx, id: string): Promise<void> {
  await tx.delete(invitations, id);
  await tx.cancel(expiryItem(id));
}

export const dropInvitationsOfApp: OnDelete = async (tx, _jar, { id: appId }) => {
  for (const { key } of await readAll(tx, invitations, { filter: eq('appId', appId) })) await dropInvitation(tx, key);
};

/** Part of the transaction that deletes the organization. */
export async function dropInvitationsOfOrg(tx: Tx, orgId: string): Promise<void> {
  for (const { key } of await readAll(tx, invitations, { filter: eq('orgId', orgId) })) await dropInvitation(tx, key);
}
