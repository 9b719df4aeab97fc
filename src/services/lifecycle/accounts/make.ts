import { uuid } from '../../../kernel/ids/index.ts';
import type { Jar } from '../../../kernel/service/index.ts';
import { eq, type Tx } from '../../../kernel/store/index.ts';
import {
  type App,
  type AppMember,
  appMembers,
  appNames,
  apps,
  nameKey,
  type Org,
  type OrgMember,
  type Owner,
  orgMembers,
  orgs,
  owners,
  pair,
  type User,
  users,
} from '../collections.ts';
import { errors } from '../errors.ts';
import { APPS, ORG_MEMBERS } from '../limits.ts';
import { checkEmail, checkName } from './names.ts';

/** Creates accounts and apps within a transaction; shared by the API, the control API and the seed. */

type Limits = Pick<Jar, 'limits'>;

export type NewUser = Pick<User, 'name' | 'displayName' | 'email'>;

export async function makeUser(tx: Tx, { name, displayName, email }: NewUser, createdAt: string): Promise<User> {
  checkName(name);
  checkEmail(email, 'email');
  await tx.lock(users.name);
  if ((await tx.count(users, { filter: eq('email', email.toLowerCase()) })) > 0)
    throw errors.Conflict({ reason: `Another user already has the email address '${email}'.` });
  const user: User = { id: uuid(), name, displayName, email, avatarUrl: null, createdAt };
  await claimName(tx, name, { kind: 'user', id: user.id });
  await tx.put(users, user.id, user);
  return user;
}

/** Users and organizations share one namespace, because both can own apps. */
export async function claimName(tx: Tx, name: string, owner: Owner): Promise<void> {
  const key = name.toLowerCase();
  // A free name has no document to lock.
  await tx.lock(`${owners.name}/${key}`);
  const other = (await tx.get(owners, key))?.value;
  if (other && other.id !== owner.id)
    throw errors.Conflict({ reason: `The name '${name}' is already taken.` }, { target: 'name' });
  if (!other) await tx.put(owners, key, owner, { ifNoneMatch: '*' });
}

export const releaseName = (tx: Tx, name: string): Promise<boolean> => tx.delete(owners, name.toLowerCase());

export type NewOrg = Pick<Org, 'name' | 'displayName'>;

/** Creates an organization and its first admin. */
export async function makeOrg(
  tx: Tx,
  jar: Limits,
  { name, displayName }: NewOrg,
  adminId: string,
  createdAt: string,
): Promise<Org> {
  checkName(name);
  const org: Org = { id: uuid(), name, displayName, avatarUrl: null, createdAt, updatedAt: createdAt };
  await claimName(tx, name, { kind: 'org', id: org.id });
  await tx.put(orgs, org.id, org);
  await putOrgMember(tx, jar, { orgId: org.id, userId: adminId, role: 'admin', joinedAt: createdAt });
  return org;
}

/** Adds a member, or changes the role of a member. */
export async function putOrgMember(tx: Tx, { limits }: Limits, member: OrgMember): Promise<void> {
  const key = pair(member.orgId, member.userId);
  const before = await tx.get(orgMembers, key);
  if (!before) {
    const decision = await limits.takeQuota(tx, { limit: ORG_MEMBERS, scope: [member.orgId] });
    if (!decision.allowed) {
      throw errors.BadRequest({ reason: `The organization has ${decision.current} members, which is the maximum.` });
    }
  }
  await tx.put(orgMembers, key, { ...member, joinedAt: before?.value.joinedAt ?? member.joinedAt });
}

export type NewApp = Pick<App, 'name' | 'displayName' | 'os' | 'platform' | 'owner'> &
  Partial<Pick<App, 'description' | 'releaseType' | 'secret'>>;

/** Creates an app with its creator as manager. */
export async function makeApp(tx: Tx, jar: Limits, wanted: NewApp, makerId: string, createdAt: string): Promise<App> {
  const { name, owner } = wanted;
  checkName(name);
  await countApp(tx, jar, owner);
  const app: App = {
    description: null,
    releaseType: null,
    secret: uuid(),
    ...wanted,
    id: uuid(),
    iconUrl: null,
    createdAt,
    updatedAt: createdAt,
    teams: [],
  };
  await claimAppName(tx, owner, name, app.id);
  await tx.put(apps, app.id, app);
  await putAppMember(tx, { appId: app.id, userId: makerId, role: 'manager', joinedAt: createdAt });
  return app;
}

/** Takes quota; called before an owner receives an app. */
export async function countApp(tx: Tx, { limits }: Limits, { id }: Owner): Promise<void> {
  const decision = await limits.takeQuota(tx, { limit: APPS, scope: [id] });
  if (decision.allowed) return;
  throw errors.BadRequest({ reason: `The owner has ${decision.current} apps, which is the maximum.` });
}

export async function claimAppName(tx: Tx, owner: Owner, name: string, appId: string): Promise<void> {
  const key = nameKey(owner.id, name);
  await tx.lock(`${appNames.name}/${key}`);
  const other = (await tx.get(appNames, key))?.value;
  if (other && other.appId !== appId) {
    throw errors.Conflict({ reason: `The owner already has an app with the name '${name}'.` }, { target: 'name' });
  }
  if (!other) await tx.put(appNames, key, { appId }, { ifNoneMatch: '*' });
}

/** Adds a collaborator, or changes the role of a collaborator. */
export async function putAppMember(tx: Tx, member: AppMember): Promise<void> {
  const key = pair(member.appId, member.userId);
  const before = await tx.get(appMembers, key);
  await tx.put(appMembers, key, { ...member, joinedAt: before?.value.joinedAt ?? member.joinedAt });
}
