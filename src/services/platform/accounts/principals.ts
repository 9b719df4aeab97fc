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

/** Reading and writing of single principals. Whoever writes holds the lock of the account (`lockIdentities`). */

/** Rules over many documents (circles of groups, unique names, the last administrator) need writers of one account to wait for each other. */
export const lockIdentities = (tx: Tx, accountId: string): Promise<void> => tx.lock(`platform.account:${accountId}`);

export const newPrincipal = (now: number) => ({
  id: numericId(),
  active: true,
  roles: [] as readonly string[],
  createdAt: now,
  updatedAt: now,
});

/** Writes a new principal and counts it. */
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

/** Writes new users and service principals of an account, with a few statements however many they are. */
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

/** To be called by every transaction that changes principals, memberships or entitlements. */
export async function identitiesChanged(tx: Tx, { clock }: Pick<Jar, 'clock'>, accountId: string): Promise<void> {
  await tx.put(identityVersions, accountId, { changedAt: clock.now() });
}

export const principalOf = async (reader: Reader, accountId: string, id: string): Promise<Principal | undefined> =>
  (await reader.get(principals, principalKey(accountId, id), 'none'))?.value;

/** As many as one statement reads. */
const BATCH = 500;

/** The principals of these ids; those that do not exist are left out. */
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

/** By what no two of a kind have alike: user name, application id, or the name of a group. Groups of a workspace are apart from those of the account. */
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
