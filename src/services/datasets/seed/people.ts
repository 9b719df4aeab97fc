import { tenants, users } from '../../../kernel/auth/index.ts';
import { eq, type Tx } from '../../../kernel/store/index.ts';
import type { DatasetRight } from '../access/permissions.ts';
import { permissionsOf } from '../access/permissions.ts';
import { findPrincipal, type Principal } from '../access/principal.ts';
import { ROLES } from '../access/roles.ts';
import type { WorkspaceRight, WorkspaceUser } from '../collections.ts';
import type { DatasetUser } from '../model/types.ts';
import { mistakeAt, type SeededDataset } from './drafts.ts';
import type { SeedUser, SeedWorkspace } from './section.ts';

type TenantUser = Principal & { readonly tenantId: string };

/** A user of any tenant; addresses are unique in a jar. */
export async function userAnywhere(tx: Tx, identifier: string, at: string): Promise<TenantUser> {
  const { items } = await tx.query(users, { filter: eq('username', identifier.toLowerCase()), limit: 1 });
  const tenantId = items[0]?.value.tenantId;
  const principal = tenantId && (await findPrincipal(tx, tenantId, { principalType: 'User', identifier }));
  if (!tenantId || !principal) throw mistakeAt(at, `the directory has no user '${identifier}'`);
  return { ...principal, tenantId };
}

export async function tenantOf(tx: Tx, { tenantId, users: listed }: SeedWorkspace, at: string): Promise<string> {
  if (tenantId !== undefined) {
    const tenant = (await tx.get(tenants, tenantId.toLowerCase(), 'none'))?.value;
    if (!tenant) throw mistakeAt(`${at}.tenantId`, `the directory has no tenant '${tenantId}'`);
    return tenant.id;
  }
  const first = listed.find(({ principalType = 'User' }) => principalType === 'User');
  if (!first) throw mistakeAt(at, "'tenantId' is required if no user has the principalType User");
  return (await userAnywhere(tx, first.identifier, `${at}.users[${listed.indexOf(first)}].identifier`)).tenantId;
}

export async function workspaceUsers(
  tx: Tx,
  tenantId: string,
  given: readonly SeedUser<{ readonly groupUserAccessRight: WorkspaceRight }>[],
  at: string,
): Promise<readonly WorkspaceUser[]> {
  const found = await principalsOf(tx, tenantId, given, at, 'None');
  const members = found.map(({ principal, given: { groupUserAccessRight: right } }) => ({ ...principal, right }));
  if (!members.some(({ right, profile }) => right === 'Admin' && !profile))
    throw mistakeAt(`${at}.users`, 'at least one user must have the right Admin');
  return members;
}

/** Only in the seed can a dataset's own list grant write permission. */
export async function datasetUsers(
  tx: Tx,
  tenantId: string,
  given: readonly SeedUser<{ readonly datasetUserAccessRight: DatasetRight }>[],
  at: string,
): Promise<readonly DatasetUser[]> {
  const found = await principalsOf(tx, tenantId, given, at, 'App');
  return found.map(({ principal, given: { datasetUserAccessRight: right } }) => ({ ...principal, right }));
}

/** Resolves the principals of a list; rejects duplicates and types that the list does not accept. */
async function principalsOf<U extends SeedUser<object>>(
  tx: Tx,
  tenantId: string,
  listed: readonly U[],
  at: string,
  refused: Principal['principalType'],
): Promise<readonly { readonly principal: Principal; readonly given: U }[]> {
  const found: { readonly principal: Principal; readonly given: U }[] = [];
  for (const [i, given] of listed.entries()) {
    const { identifier, principalType = 'User', displayName, profile } = given;
    const place = `${at}.users[${i}]`;
    if (principalType === refused) throw mistakeAt(`${place}.principalType`, `cannot be ${refused} here`);
    const principal = await findPrincipal(tx, tenantId, { principalType, identifier, displayName, profile });
    if (!principal) throw mistakeAt(place, `the tenant has no ${principalType} '${identifier}'`);
    if (found.some((other) => other.principal.principalId === principal.principalId))
      throw mistakeAt(place, `'${identifier}' is listed twice`);
    found.push({ principal, given });
  }
  return found;
}

/** The owner of a dataset: a workspace user with write permission. */
export function ownerIn(members: readonly WorkspaceUser[], { given, at }: SeededDataset): Principal {
  const named = given.owner?.toLowerCase();
  const owner = members.find(({ identifier, right, principalType, profile }) =>
    named === undefined
      ? right === 'Admin' && principalType !== 'Group' && !profile
      : identifier.toLowerCase() === named && !profile,
  );
  if (!owner && named === undefined)
    throw mistakeAt(at, "'owner' is required if no administrator is a person or an application");
  if (!owner) throw mistakeAt(`${at}.owner`, `'${given.owner}' is not a user of the workspace`);
  if (owner.principalType === 'Group') throw mistakeAt(`${at}.owner`, 'a group cannot own a dataset');
  if (!permissionsOf(ROLES[owner.right].datasets).includes('Write'))
    throw mistakeAt(`${at}.owner`, `'${given.owner}' is a ${owner.right}, who cannot write datasets`);
  return owner;
}
