import type { Jar } from '../../../kernel/service/index.ts';
import { eq, readAll, type Tx } from '../../../kernel/store/index.ts';
import { recordChange } from '../accounts/changes.ts';
import { releaseName } from '../accounts/make.ts';
import { appMembers, apps, invitations, orgMembers, orgs, type User, users } from '../collections.ts';
import { testers } from '../distribution/collections.ts';
import { errors } from '../errors.ts';
import { dropInvitation } from '../invitations/drop.ts';
import type { LifecycleJar } from '../jar.ts';
import { APPS, TESTERS } from '../limits.ts';
import { lockPeople } from '../orgs/current-rights.ts';
import { dropOrg } from '../orgs/drop-org.ts';
import { isLastAdmin, removeMember } from '../orgs/remove-member.ts';
import { dropTokensOfUser } from '../tokens/manage.ts';
import { subjectExports, subjectRequests } from './collections.ts';
import { stepItem } from './work.ts';

/** Throws if deletion is blocked: apps would lose their owner, or organizations their last admin. */
export async function checkDeletable(tx: Tx, { id }: User): Promise<void> {
  const owned = await tx.count(apps, { filter: eq('ownerId', id) });
  if (owned > 0) {
    throw errors.Conflict({
      reason: `The account still owns apps (${owned}): delete them or transfer them to another owner first.`,
    });
  }
  for (const { value } of await readAll(tx, orgMembers, { filter: eq('userId', id) })) {
    await lockPeople(tx, value.orgId);
    if (!(await isLastAdmin(tx, value))) continue;
    const org = (await tx.get(orgs, value.orgId, 'none'))?.value;
    const [members, orgApps] = [
      await tx.count(orgMembers, { filter: eq('orgId', value.orgId) }),
      await tx.count(apps, { filter: eq('ownerId', value.orgId) }),
    ];
    if (members <= 1 && orgApps === 0) continue;
    const reason = `The account is the only admin of the organization '${org?.name}': make another user an admin, or delete it.`;
    throw errors.Conflict({ reason });
  }
}

/**
 * Deletes an account and all data about the person except `receipt`, the request itself. Organizations without other members are deleted,
 * too.
 */
export async function deleteAccount(tx: Tx, jar: LifecycleJar, user: User, receipt: string): Promise<void> {
  const { id, name, email } = user;
  // Locks out transfers of apps to the account, which need this counter.
  await jar.limits.takeQuota(tx, { limit: APPS, scope: [id], count: 0 });
  await checkDeletable(tx, user);
  for (const { value } of await readAll(tx, orgMembers, { filter: eq('userId', id) })) {
    const org = (await tx.get(orgs, value.orgId))?.value;
    if (org && (await isLastAdmin(tx, value))) await dropOrg(tx, jar, org);
    else await removeMember(tx, jar, value);
  }
  for (const { key } of await readAll(tx, appMembers, { filter: eq('userId', id) })) await tx.delete(appMembers, key);
  await dropTester(tx, jar, email);
  const concerned = { op: 'or', args: [eq('invitedBy', id), eq('email', email.toLowerCase())] } as const;
  for (const { key } of await readAll(tx, invitations, { filter: concerned })) await dropInvitation(tx, key);
  await dropRequests(tx, id, receipt);
  await dropTokensOfUser(tx, jar, id);
  await releaseName(tx, name);
  await tx.delete(users, id);
  await recordChange(tx, jar, 'delete', `lifecycle/users/${id}`);
}

async function dropTester(tx: Tx, { limits }: Jar, email: string): Promise<void> {
  for (const { key, value } of await readAll(tx, testers, { filter: eq('email', email.toLowerCase()) })) {
    await tx.delete(testers, key);
    await limits.freeQuota(tx, { limit: TESTERS, scope: [value.groupId] });
  }
}

/** Deletes earlier requests and exports, whether downloaded or not. */
async function dropRequests(tx: Tx, userId: string, kept: string): Promise<void> {
  for (const { key } of await readAll(tx, subjectRequests, { filter: eq('userId', userId) })) {
    if (key === kept) continue;
    await tx.delete(subjectExports, key);
    await tx.cancel(stepItem(key));
    await tx.delete(subjectRequests, key);
  }
}
