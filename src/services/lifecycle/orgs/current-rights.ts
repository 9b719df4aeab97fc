import type { Call } from '../../../kernel/service/index.ts';
import type { Tx } from '../../../kernel/store/index.ts';
import { orgOf, userOf } from '../access/access.ts';
import { orgRoleOf } from '../access/standing.ts';
import { orgMembers, orgs, pair } from '../collections.ts';
import { gateway } from '../errors.ts';
import { type OrgRole, orgRank } from '../roles.ts';

/**
 * Serialises changes of an organization's members, so that rules over all members (at least one admin) hold. Always the first lock of a
 * transaction, except for the account lock.
 */
export const lockPeople = (tx: Tx, orgId: string): Promise<void> => tx.lock(`lifecycle.people/${orgId}`);

type Asking = Pick<Call, 'facts' | 'correlationId'>;

/** Checks again in the transaction, because rights that the gateway found may have been revoked. Returns the current role. */
export async function requireOrgRole(tx: Tx, call: Asking, role: OrgRole): Promise<OrgRole> {
  const held = await orgRoleOf(tx, orgOf(call), userOf(call).id);
  if (!held) throw gateway.notFound(call);
  if (orgRank(held) < orgRank(role)) {
    throw gateway.forbidden(`this requires the role ${role} in the organization, and yours is ${held}`);
  }
  return held;
}

/** Locks the call's organization and membership against deletion until the transaction ends. */
export async function holdMembership(tx: Tx, call: Asking): Promise<void> {
  const { id: orgId } = orgOf(call);
  const isThere = await tx.get(orgs, orgId, 'share');
  const isMember = isThere && (await tx.get(orgMembers, pair(orgId, userOf(call).id), 'share'));
  if (!isMember) throw gateway.notFound(call);
}
