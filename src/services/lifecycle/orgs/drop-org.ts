import type { Jar } from '../../../kernel/service/index.ts';
import { eq, readAll, type Tx } from '../../../kernel/store/index.ts';
import { recordChange } from '../accounts/changes.ts';
import { releaseName } from '../accounts/make.ts';
import { dropPicture } from '../accounts/pictures.ts';
import { apps, type Org, orgMembers, orgs, teamMembers, teams } from '../collections.ts';
import { dropGroupsOfOrg } from '../distribution/drop-groups.ts';
import { errors } from '../errors.ts';
import { dropInvitationsOfOrg } from '../invitations/drop.ts';
import { APPS, ORG_MEMBERS, TEAM_MEMBERS } from '../limits.ts';

/** Deletes an organization without apps, together with its members, teams, groups and invitations. */
export async function dropOrg(tx: Tx, jar: Jar, { id, name, avatarUrl }: Org): Promise<void> {
  // Locks out the creation of apps, which needs this counter.
  await jar.limits.takeQuota(tx, { limit: APPS, scope: [id], count: 0 });
  const appCount = await tx.count(apps, { filter: eq('ownerId', id) });
  if (appCount > 0) {
    const reason = `The organization '${name}' still has apps (${appCount}): delete them or transfer them to another owner first.`;
    throw errors.Conflict({ reason });
  }
  await dropTeams(tx, jar, id);
  await dropGroupsOfOrg(tx, jar, id);
  await dropInvitationsOfOrg(tx, id);
  await dropPicture(tx, avatarUrl);
  const members = await readAll(tx, orgMembers, { filter: eq('orgId', id) });
  for (const { key } of members) await tx.delete(orgMembers, key);
  await jar.limits.freeQuota(tx, { limit: ORG_MEMBERS, scope: [id], count: members.length });
  await releaseName(tx, name);
  await tx.delete(orgs, id);
  await recordChange(tx, jar, 'delete', `lifecycle/orgs/${id}`, { name });
}

/** Grants are stored with apps, and none are left. */
async function dropTeams(tx: Tx, { limits }: Jar, orgId: string): Promise<void> {
  for (const { key: teamId } of await readAll(tx, teams, { filter: eq('orgId', orgId) })) {
    const members = await readAll(tx, teamMembers, { filter: eq('teamId', teamId) });
    for (const { key } of members) await tx.delete(teamMembers, key);
    await limits.freeQuota(tx, { limit: TEAM_MEMBERS, scope: [teamId], count: members.length });
    await tx.delete(teams, teamId);
  }
}
