import type { Jar } from '../../../kernel/service/index.ts';
import { eq, readAll, type Tx } from '../../../kernel/store/index.ts';
import { recordChange } from '../accounts/changes.ts';
import { appMembers, apps, type OrgMember, orgMembers, pair, teamMembers } from '../collections.ts';
import { errors } from '../errors.ts';
import { ORG_MEMBERS, TEAM_MEMBERS } from '../limits.ts';

/** Requires `lockPeople`: true if the member is the last admin. */
export async function isLastAdmin(tx: Tx, { orgId, role }: OrgMember): Promise<boolean> {
  if (role !== 'admin') return false;
  const filter = { op: 'and', args: [eq('orgId', orgId), eq('role', 'admin')] } as const;
  return (await tx.count(orgMembers, { filter })) <= 1;
}

export async function keepAnAdmin(tx: Tx, member: OrgMember, userName: string): Promise<void> {
  if (!(await isLastAdmin(tx, member))) return;
  const reason = `'${userName}' is the only admin of the organization: make another user an admin first, or delete the organization.`;
  throw errors.BadRequest({ reason });
}

/** Removes a member from the organization, its teams and its apps. The caller holds `lockPeople` and has checked that an admin remains. */
export async function removeMember(tx: Tx, jar: Jar, { orgId, userId }: OrgMember): Promise<void> {
  // Adding a member to a team, or creating an app as a member, locks the membership; this lock excludes both.
  await tx.get(orgMembers, pair(orgId, userId));
  for (const { key, value } of await readAll(tx, teamMembers, { filter: eq('userId', userId) })) {
    if (value.orgId !== orgId) continue;
    await tx.delete(teamMembers, key);
    await jar.limits.freeQuota(tx, { limit: TEAM_MEMBERS, scope: [value.teamId] });
  }
  for (const { key, value } of await readAll(tx, appMembers, { filter: eq('userId', userId) })) {
    const app = await tx.get(apps, value.appId, 'none');
    if (app?.value.owner.id !== orgId) continue;
    // Changes of an app's collaborators lock the app.
    await tx.get(apps, value.appId);
    await tx.delete(appMembers, key);
  }
  await tx.delete(orgMembers, pair(orgId, userId));
  await jar.limits.freeQuota(tx, { limit: ORG_MEMBERS, scope: [orgId] });
  await recordChange(tx, jar, 'delete', `lifecycle/orgs/${orgId}/users/${userId}`);
}
