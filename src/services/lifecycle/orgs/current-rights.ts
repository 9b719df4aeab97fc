import type { Call } from '../../../kernel/service/index.ts';
import type { Tx } from '../../../kernel/store/index.ts';
import { orgOf, userOf } from '../access/access.ts';
import { orgRoleOf } from '../access/standing.ts';
import { orgMembers, orgs, pair } from '../collections.ts';
import { gateway } from '../errors.ts';
import { type OrgRole, orgRank } from '../roles.ts';

/**
 * Who changes the people of an organization waits for others who do, so that rules over all of them (an admin must remain) hold.
 * Always the first lock of a transaction, but for that of an account.
 */
export const lockPeople = (tx: Tx, orgId: string): Promise<void> => tx.lock(`lifecycle.people/${orgId}`);

type Asking = Pick<Call, 'facts' | 'correlationId'>;

/** Rights that the gateway has found may be gone by now. Gives the role as it is. */
export async function requireOrgRole(tx: Tx, call: Asking, role: OrgRole): Promise<OrgRole> {
  const held = await orgRoleOf(tx, orgOf(call), userOf(call).id);
  if (!held) throw gateway.notFound(call);
  if (orgRank(held) < orgRank(role)) {
    throw gateway.forbidden(`this needs the role ${role} in the organization, and yours is ${held}`);
  }
  return held;
}

/** The organization of the call is not deleted, and its user not taken out of it, until the transaction ends. */
export async function holdMembership(tx: Tx, call: Asking): Promise<void> {
  const { id: orgId } = orgOf(call);
  const isThere = await tx.get(orgs, orgId, 'share');
  const isMember = isThere && (await tx.get(orgMembers, pair(orgId, userOf(call).id), 'share'));
  if (!isMember) throw gateway.notFound(call);
}
