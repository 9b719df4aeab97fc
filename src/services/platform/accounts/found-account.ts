import { createHash } from 'node:crypto';
import type { Caller, User } from '../../../kernel/auth/index.ts';
import { applications, users } from '../../../kernel/auth/index.ts';
import type { Jar } from '../../../kernel/service/index.ts';
import { readAll, type Tx } from '../../../kernel/store/index.ts';
import type { JsonMembers } from '../../../kernel/values/index.ts';
import { quotaOf } from '../limits/declared.ts';
import { accountUsers } from './account-users.ts';
import { assign, joinSystemGroup } from './assign.ts';
import {
  ACCOUNT_ADMIN,
  type Account,
  accounts,
  type Principal,
  removedKey,
  removedObjects,
  type Workspace,
  workspaces,
} from './collections.ts';
import { ADMIN_ENTITLEMENTS, setEntitlements, USER_ENTITLEMENTS } from './entitlements.ts';
import {
  addPrincipal,
  addPrincipals,
  byLogin,
  byObject,
  identitiesChanged,
  lockIdentities,
  newPrincipal,
  putPrincipal,
} from './principals.ts';

export { addPrincipal, byObject, identitiesChanged, newPrincipal } from './principals.ts';

const DEFAULT_REGION = 'westus2';

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** The account id of a tenant is the same in every jar, so that configurations can name it. */
export function accountIdOf(tenantId: string): string {
  const hex = digest(`platform account of ${tenantId.toLowerCase()}`).toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** The id of the default workspace is also the same in every jar: 15 digits. */
export const defaultWorkspaceOf = (tenantId: string): string =>
  String(100_000_000_000_000 + digest(`platform workspace of ${tenantId.toLowerCase()}`).readUIntBE(0, 6));

/** The account of a tenant. The first call creates it, with all users and applications of the tenant's directory. */
export async function accountOf(jar: Jar, tenantId: string): Promise<Account> {
  const id = accountIdOf(tenantId);
  const known = (await jar.store.cached(accounts, id))?.value;
  return known ?? createAccount(jar, id, tenantId);
}

async function createAccount(jar: Jar, id: string, tenantId: string): Promise<Account> {
  const isOf = (it: { readonly tenantId: string }): boolean => it.tenantId.toLowerCase() === tenantId.toLowerCase();
  const people = (await readAll(jar.store, users)).map(({ value }) => value).filter(isOf);
  const programs = (await readAll(jar.store, applications)).map(({ value }) => value).filter(isOf);
  const tenant = await jar.directory.tenant(tenantId);
  return jar.store.transact(async (tx) => {
    await lockIdentities(tx, id);
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
    await putPrincipal(tx, accountUsers(id, now));
    const workspace = await putWorkspace(tx, account, {
      id: account.defaultWorkspace,
      name: 'default',
      region: DEFAULT_REGION,
      status: 'RUNNING',
      now,
    });
    const newcomers: readonly DirectoryPrincipal[] = [
      ...people.map((user) => [fromUser(account, user, now), user.attributes.administrator === true] as const),
      ...programs
        .filter(({ public: isPublic }) => !isPublic)
        .map(({ id: applicationId, objectId, displayName }) => {
          const drawn = { accountId: id, kind: 'servicePrincipal', applicationId, objectId, displayName } as const;
          return [{ ...newPrincipal(now), ...drawn }, false] as const;
        }),
    ];
    await addDirectoryPrincipals(tx, jar, workspace, newcomers);
    return account;
  });
}

type DirectoryPrincipal = readonly [principal: Principal, isAdmin: boolean];

/**
 * A large directory must not prevent the account from being created: if it exceeds the quota of principals, administrators are added first.
 */
async function addDirectoryPrincipals(
  tx: Tx,
  jar: Jar,
  workspace: Workspace,
  newcomers: readonly DirectoryPrincipal[],
): Promise<void> {
  const { accountId } = workspace;
  const { mode, maximum } = jar.limits.overrides.of(quotaOf('principals'), [accountId]);
  const ordered = newcomers.toSorted(([, one], [, other]) => Number(other) - Number(one));
  const admitted = mode === 'enforced' ? ordered.slice(0, maximum) : ordered;
  const made = admitted.map(([principal]) => ({ ...principal, workspaces: [workspace.id] }));
  const admins = new Set(newcomers.flatMap(([{ id }, isAdmin]) => (isAdmin ? [id] : [])));
  await addPrincipals(tx, jar, accountId, made);
  await joinSystemGroup(tx, jar, accountId, workspace.usersGroup, made);
  await joinSystemGroup(
    tx,
    jar,
    accountId,
    workspace.adminsGroup,
    made.filter(({ id }) => admins.has(id)),
  );
}

export interface NewWorkspace extends Pick<Workspace, 'id' | 'name' | 'region' | 'status'> {
  readonly deploymentName?: string;
  readonly details?: JsonMembers;
  readonly now: number;
}

/** Creates a workspace with its two groups, which do not count towards the quota of groups. */
export async function putWorkspace(tx: Tx, account: Account, { now, ...given }: NewWorkspace): Promise<Workspace> {
  const group = (displayName: string): Principal => ({
    ...newPrincipal(now),
    accountId: account.id,
    kind: 'group',
    workspaceId: given.id,
    system: true,
    displayName,
  });
  const admins = await putPrincipal(tx, group('admins'));
  const everybody = await putPrincipal(tx, group('users'));
  const workspace: Workspace = {
    deploymentName: `adb-${given.id}`,
    ...given,
    accountId: account.id,
    adminsGroup: admins.id,
    usersGroup: everybody.id,
    createdAt: now,
  };
  await tx.put(workspaces, workspace.id, workspace);
  await setEntitlements(tx, workspace, admins, { entitlements: ADMIN_ENTITLEMENTS, roles: [] });
  await setEntitlements(tx, workspace, everybody, { entitlements: USER_ENTITLEMENTS, roles: [] });
  return workspace;
}

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

/**
 * Handles the first call of a user or application of the directory. A principal that was provisioned under its name is linked to it;
 * otherwise a new principal is created in the default workspace; an object that was deleted from the account gets no principal.
 */
export async function adoptNewCaller(jar: Jar, account: Account, caller: Caller): Promise<Principal | undefined> {
  const user = caller.kind === 'user' ? await jar.directory.user(caller.objectId) : undefined;
  return jar.store.transact(async (tx) => {
    await lockIdentities(tx, account.id);
    const made = await byObject(tx, account.id, caller.objectId);
    if (made) return made;
    const drawn = principalOfCaller(account, caller, user, jar.clock.now());
    const { kind, userName, applicationId, objectId } = drawn;
    const provisioned = await byLogin(tx, account.id, kind, userName ?? applicationId ?? '');
    if (provisioned && objectId !== undefined) {
      await identitiesChanged(tx, jar, account.id);
      return putPrincipal(tx, { ...provisioned, objectId });
    }
    if (await tx.get(removedObjects, removedKey(account.id, caller.objectId), 'none')) return undefined;
    const principal = await addPrincipal(tx, jar, drawn);
    const workspace = (await tx.get(workspaces, account.defaultWorkspace, 'none'))?.value;
    return workspace ? assign(tx, jar, principal, workspace, user?.attributes.administrator === true) : principal;
  });
}

function principalOfCaller(account: Account, caller: Caller, user: User | undefined, now: number): Principal {
  if (user) return fromUser(account, user, now);
  const { objectId, applicationId, name, kind } = caller;
  const head = { ...newPrincipal(now), accountId: account.id, displayName: name, objectId };
  return kind === 'user'
    ? { ...head, kind: 'user', userName: name }
    : { ...head, kind: 'servicePrincipal', applicationId };
}
