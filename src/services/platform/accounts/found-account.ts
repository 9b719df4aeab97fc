import { createHash } from 'node:crypto';
import type { Caller, User } from '../../../kernel/auth/index.ts';
import { applications, users } from '../../../kernel/auth/index.ts';
import { numericId } from '../../../kernel/ids/index.ts';
import type { Jar } from '../../../kernel/service/index.ts';
import { readAll, type Tx } from '../../../kernel/store/index.ts';
import { takeCount } from '../limits/take.ts';
import {
  type Account,
  accounts,
  identityVersions,
  membershipKey,
  memberships,
  type Principal,
  principalKey,
  principals,
  type Workspace,
  workspaces,
} from './collections.ts';

export const ACCOUNT_ADMIN = 'account_admin';
const DEFAULT_REGION = 'westus2';

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** The account of a tenant has the same id in every jar, so that configurations can name it. */
export function accountIdOf(tenantId: string): string {
  const hex = digest(`platform account of ${tenantId.toLowerCase()}`).toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** So has its first workspace: 15 digits. */
export const defaultWorkspaceOf = (tenantId: string): string =>
  String(100_000_000_000_000 + digest(`platform workspace of ${tenantId.toLowerCase()}`).readUIntBE(0, 6));

/** The account of a tenant. The first call makes it, with everybody whom the directory has. */
export async function accountOf(jar: Jar, tenantId: string): Promise<Account> {
  const id = accountIdOf(tenantId);
  const known = (await jar.store.cached(accounts, id))?.value;
  return known ?? foundAccount(jar, id, tenantId);
}

async function foundAccount(jar: Jar, id: string, tenantId: string): Promise<Account> {
  const isOf = (it: { readonly tenantId: string }): boolean => it.tenantId.toLowerCase() === tenantId.toLowerCase();
  const people = (await readAll(jar.store, users)).map(({ value }) => value).filter(isOf);
  const programs = (await readAll(jar.store, applications)).map(({ value }) => value).filter(isOf);
  const tenant = await jar.directory.tenant(tenantId);
  return jar.store.transact(async (tx) => {
    await tx.lock(`platform.account:${id}`);
    const made = await tx.get(accounts, id);
    if (made) return made.value;
    const now = jar.clock.now();
    const account: Account = {
      id,
      tenantId,
      name: tenant?.displayName ?? tenantId,
      defaultWorkspace: defaultWorkspaceOf(tenantId),
      createdAt: now,
    };
    await tx.put(accounts, id, account);
    const workspace = await putWorkspace(tx, account, {
      id: account.defaultWorkspace,
      name: 'default',
      region: DEFAULT_REGION,
      status: 'RUNNING',
      now,
    });
    for (const user of people) {
      const principal = await addPrincipal(tx, jar, fromUser(account, user, now));
      await join(tx, principal, workspace, user.attributes.administrator === true);
    }
    for (const { id: applicationId, objectId, displayName, public: isPublic } of programs) {
      if (isPublic) continue;
      const drawn = { accountId: id, kind: 'servicePrincipal', applicationId, objectId, displayName } as const;
      const principal = await addPrincipal(tx, jar, { ...newPrincipal(now), ...drawn });
      await join(tx, principal, workspace, false);
    }
    return account;
  });
}

interface NewWorkspace extends Pick<Workspace, 'id' | 'name' | 'region' | 'status'> {
  readonly now: number;
}

/** A workspace with its two groups. */
export async function putWorkspace(tx: Tx, account: Account, { now, ...given }: NewWorkspace): Promise<Workspace> {
  const group = async (displayName: string): Promise<string> => {
    const drawn = { accountId: account.id, kind: 'group', workspaceId: given.id, displayName } as const;
    const principal: Principal = { ...newPrincipal(now), ...drawn };
    await tx.put(principals, principalKey(account.id, principal.id), principal);
    return principal.id;
  };
  const workspace: Workspace = {
    ...given,
    accountId: account.id,
    deploymentName: `adb-${given.id}`,
    adminsGroup: await group('admins'),
    usersGroup: await group('users'),
    createdAt: now,
  };
  await tx.put(workspaces, workspace.id, workspace);
  return workspace;
}

export const newPrincipal = (now: number) => ({
  id: numericId(),
  active: true,
  roles: [] as readonly string[],
  createdAt: now,
  updatedAt: now,
});

const fromUser = (account: Account, user: User, now: number): Principal => ({
  ...newPrincipal(now),
  accountId: account.id,
  kind: 'user',
  userName: user.username,
  displayName: user.displayName,
  objectId: user.id,
  emails: [{ value: user.username, type: 'work', primary: true }],
  ...((user.givenName ?? user.surname) !== undefined && {
    name: { ...(user.givenName && { givenName: user.givenName }), ...(user.surname && { familyName: user.surname }) },
  }),
  roles: user.attributes.administrator === true ? [ACCOUNT_ADMIN] : [],
});

/** Writes a user or service principal and counts it. */
export async function addPrincipal(
  tx: Tx,
  jar: Pick<Jar, 'limits' | 'clock'>,
  principal: Principal,
): Promise<Principal> {
  const { accountId, id, kind } = principal;
  await takeCount(tx, jar, { row: kind === 'group' ? 'groups' : 'principals', scope: [accountId] });
  await tx.put(principals, principalKey(accountId, id), principal, { ifNoneMatch: '*' });
  await identitiesChanged(tx, jar, accountId);
  return principal;
}

/** Makes somebody a member of a workspace. */
async function join(tx: Tx, { accountId, id }: Principal, workspace: Workspace, isAdmin: boolean): Promise<void> {
  for (const group of [workspace.usersGroup, ...(isAdmin ? [workspace.adminsGroup] : [])]) {
    await tx.put(memberships, membershipKey(accountId, group, id), { accountId, group, member: id });
  }
}

/** To be called by every transaction that changes principals, memberships or entitlements. */
export async function identitiesChanged(tx: Tx, { clock }: Pick<Jar, 'clock'>, accountId: string): Promise<void> {
  await tx.put(identityVersions, accountId, { changedAt: clock.now() });
}

/** A person or program of the directory that is not in the account yet: whoever came after the account was made. */
export async function welcome(jar: Jar, account: Account, caller: Caller): Promise<Principal> {
  const user = caller.kind === 'user' ? await jar.directory.user(caller.objectId) : undefined;
  return jar.store.transact(async (tx) => {
    await tx.lock(`platform.account:${account.id}`);
    const made = await byObject(tx, account.id, caller.objectId);
    if (made) return made;
    const now = jar.clock.now();
    const { objectId, applicationId, name } = caller;
    const drawn: Principal = user
      ? fromUser(account, user, now)
      : caller.kind === 'user'
        ? { ...newPrincipal(now), accountId: account.id, kind: 'user', userName: name, displayName: name, objectId }
        : {
            ...newPrincipal(now),
            accountId: account.id,
            kind: 'servicePrincipal',
            applicationId,
            displayName: name,
            objectId,
          };
    const principal = await addPrincipal(tx, jar, drawn);
    const workspace = (await tx.get(workspaces, account.defaultWorkspace, 'none'))?.value;
    if (workspace) await join(tx, principal, workspace, user?.attributes.administrator === true);
    return principal;
  });
}

export async function byObject(
  reader: Pick<Tx, 'query'>,
  accountId: string,
  objectId: string,
): Promise<Principal | undefined> {
  const value = `${accountId}/${objectId.toLowerCase()}`;
  return (await reader.query(principals, { filter: { op: 'eq', field: 'object', value }, limit: 1 })).items[0]?.value;
}
