import { numericId } from '../../../kernel/ids/index.ts';
import type { Jar } from '../../../kernel/service/index.ts';
import { allOf, eq, type Reader, type Tx } from '../../../kernel/store/index.ts';
import { takeCount } from '../limits/take.ts';
import { joinAccountUsers } from './account-users.ts';
import {
  identityVersions,
  type Principal,
  type PrincipalKind,
  principalKey,
  principalPlace,
  principals,
} from './collections.ts';

/** Reads and writes single principals. Writers hold the account lock (`lockIdentities`). */

/**
 * Rules that span many documents (cycles of groups, unique names, the last administrator) require that writers of one account run one after
 * another.
 */
export const lockIdentities = (tx: Tx, accountId: string): Promise<void> => tx.lock(`platform.account:${accountId}`);

export const newPrincipal = (now: number) => ({
  id: numericId(),
  active: true,
  roles: [] as readonly string[],
  createdAt: now,
  updatedAt: now,
});

/** Writes a new principal and counts it towards the quota. */
export async function addPrincipal(
  tx: Tx,
  jar: Pick<Jar, 'limits' | 'clock'>,
  principal: Principal,
): Promise<Principal> {
  const { accountId, id, kind } = principal;
  await takeCount(tx, jar, { row: kind === 'group' ? 'groups' : 'principals', scope: [accountId] });
  await tx.put(principals, principalKey(accountId, id), principal, { ifNoneMatch: '*' });
  await joinAccountUsers(tx, accountId, [principal]);
  await identitiesChanged(tx, jar, accountId);
  return principal;
}

/** Writes new users and service principals of an account in a few statements, however many principals there are. */
export async function addPrincipals(
  tx: Tx,
  jar: Pick<Jar, 'limits' | 'clock'>,
  accountId: string,
  made: readonly Principal[],
): Promise<void> {
  await takeCount(tx, jar, { row: 'principals', scope: [accountId], count: made.length });
  await tx.putAll(
    principals,
    made.map((each) => [principalKey(accountId, each.id), each]),
  );
  await joinAccountUsers(tx, accountId, made);
  await identitiesChanged(tx, jar, accountId);
}

export async function putPrincipal(tx: Tx, principal: Principal): Promise<Principal> {
  await tx.put(principals, principalKey(principal.accountId, principal.id), principal);
  return principal;
}

/** Must be called by every transaction that changes principals, memberships or entitlements. */
export async function identitiesChanged(tx: Tx, { clock }: Pick<Jar, 'clock'>, accountId: string): Promise<void> {
  await tx.put(identityVersions, accountId, { changedAt: clock.now() });
}

export const principalOf = async (reader: Reader, accountId: string, id: string): Promise<Principal | undefined> =>
  (await reader.get(principals, principalKey(accountId, id), 'none'))?.value;

/** Ids read by one statement. */
const BATCH = 500;

/** The principals with these ids; missing ones are left out. */
export async function principalsOf(
  reader: Reader,
  accountId: string,
  ids: Iterable<string>,
): Promise<Map<string, Principal>> {
  const found = new Map<string, Principal>();
  for (const values of batchesOf([...new Set(ids)])) {
    const { items } = await reader.query(principals, { filter: { op: 'in', field: 'id', values }, limit: BATCH * 2 });
    for (const { value } of items) if (value.accountId === accountId) found.set(value.id, value);
  }
  return found;
}

export function batchesOf<T>(all: readonly T[], size = BATCH): readonly (readonly T[])[] {
  const batches: (readonly T[])[] = [];
  for (let from = 0; from < all.length; from += size) batches.push(all.slice(from, from + size));
  return batches;
}

export async function byObject(
  reader: Pick<Tx, 'query'>,
  accountId: string,
  objectId: string,
): Promise<Principal | undefined> {
  const filter = eq('object', `${accountId}/${objectId.toLowerCase()}`);
  return (await reader.query(principals, { filter, limit: 1 })).items[0]?.value;
}

/**
 * Finds a principal by its unique name: user name, application id or group name. Groups of a workspace are separate from those of the
 * account.
 */
export async function byLogin(
  reader: Pick<Tx, 'query'>,
  accountId: string,
  kind: PrincipalKind,
  login: string,
  workspaceId?: string,
): Promise<Principal | undefined> {
  const place = principalPlace(accountId, kind, workspaceId);
  const filter = allOf(eq('place', place), eq('login', login.toLowerCase()));
  return (await reader.query(principals, { filter, limit: 1 })).items[0]?.value;
}
