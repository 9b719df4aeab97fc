import type { Jar } from '../../../kernel/service/index.ts';
import { pagesOf, type Reader, type Tx } from '../../../kernel/store/index.ts';
import { checkBound } from '../limits/take.ts';
import { type Membership, membershipKey, memberships, type Principal } from './collections.ts';
import { identityErrors } from './errors.ts';
import { batchesOf } from './principals.ts';

/**
 * Group memberships. Each membership is a document, so that a group of 10,000 can be changed without reading it. Writers hold the account
 * lock.
 */

const MEMBERS_IN_ONE_READ = 1000;

/** The memberships whose `field` names one of these principals. */
async function* membershipsBy(
  reader: Pick<Reader, 'query'>,
  field: 'group' | 'member' | 'child' | 'above',
  accountId: string,
  ids: Iterable<string>,
): AsyncGenerator<Membership> {
  for (const batch of batchesOf([...ids])) {
    const filter = { op: 'in', field, values: batch.map((id) => `${accountId}/${id}`) } as const;
    for await (const page of pagesOf(reader, memberships, { filter, page: MEMBERS_IN_ONE_READ }))
      for (const { value } of page) yield value;
  }
}

/** The ids of the direct members of a group, in order. */
export async function membersOf(reader: Reader, accountId: string, group: string): Promise<readonly string[]> {
  const ids: string[] = [];
  const filter = { op: 'eq', field: 'group', value: `${accountId}/${group}` } as const;
  const order = [{ field: 'member' }];
  for await (const page of pagesOf(reader, memberships, { filter, order, page: MEMBERS_IN_ONE_READ }))
    for (const { value } of page) ids.push(value.member);
  return ids;
}

export const countMembers = (reader: Reader, accountId: string, group: string): Promise<number> =>
  reader.count(memberships, { filter: { op: 'eq', field: 'group', value: `${accountId}/${group}` } });

/** The groups that directly contain each of these principals, including assignments. */
export async function groupsOfEach(
  reader: Reader,
  accountId: string,
  ids: readonly string[],
): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>();
  for await (const { member, group } of membershipsBy(reader, 'member', accountId, ids)) {
    const groups = found.get(member);
    if (groups) groups.push(group);
    else found.set(member, [group]);
  }
  return found;
}

/** All direct and indirect members of these groups, without the groups themselves. */
export async function allMembersOf(reader: Reader, accountId: string, groups: Iterable<string>): Promise<Set<string>> {
  const found = new Set<string>();
  const seen = new Set(groups);
  for (let level: Iterable<string> = seen; ; ) {
    const next = new Set<string>();
    for await (const { member, kind } of membershipsBy(reader, 'group', accountId, level)) {
      found.add(member);
      if (kind !== 'group' || seen.has(member)) continue;
      seen.add(member);
      next.add(member);
    }
    if (next.size === 0) return found;
    level = next;
  }
}

/** Adds principals to a group. Existing members stay. The caller has checked that the principals may be members. */
export async function addMembers(
  tx: Tx,
  jar: Pick<Jar, 'limits'>,
  group: Principal,
  members: readonly Principal[],
): Promise<number> {
  const { accountId } = group;
  const present = await presentOf(tx, group, members);
  const fresh = members.filter(({ id }) => !present.has(id));
  if (fresh.length === 0) return 0;
  if (!group.system) {
    await checkParents(tx, jar, accountId, fresh);
    await checkNesting(
      tx,
      jar,
      group,
      fresh.filter(({ kind }) => kind === 'group'),
    );
  }
  await tx.putAll(
    memberships,
    fresh.map(({ id, kind }) => [
      membershipKey(accountId, group.id, id),
      { accountId, group: group.id, member: id, kind, ...(group.system && { system: true }) },
    ]),
  );
  return fresh.length;
}

/** Returns how many of them were in the group. */
export async function removeMembers(
  tx: Tx,
  { accountId, id: group }: Pick<Principal, 'accountId' | 'id'>,
  members: Iterable<string>,
): Promise<number> {
  let removed = 0;
  for (const member of members) if (await tx.delete(memberships, membershipKey(accountId, group, member))) removed += 1;
  return removed;
}

async function presentOf(
  tx: Tx,
  { accountId, id: group }: Principal,
  members: readonly Principal[],
): Promise<ReadonlySet<string>> {
  const present = new Set<string>();
  for (const batch of batchesOf(members)) {
    const values = batch.map(({ id }) => `${accountId}/${id}`);
    const isGroup = { op: 'eq', field: 'group', value: `${accountId}/${group}` } as const;
    const filter = { op: 'and', args: [isGroup, { op: 'in', field: 'member', values }] } as const;
    const { items } = await tx.query(memberships, { filter, limit: batch.length });
    for (const { value } of items) present.add(value.member);
  }
  return present;
}

/** Throws if a principal would be directly in more groups than the limit allows. */
async function checkParents(
  tx: Tx,
  jar: Pick<Jar, 'limits'>,
  accountId: string,
  members: readonly Principal[],
): Promise<void> {
  const parents = new Map(members.map(({ id }) => [id, 1]));
  for await (const { member } of membershipsBy(tx, 'child', accountId, parents.keys()))
    parents.set(member, (parents.get(member) ?? 0) + 1);
  let most = 0;
  for (const count of parents.values()) most = Math.max(most, count);
  checkBound(jar, 'group-parents', [accountId], most);
}

/** Throws if groups would form a cycle, or be nested in more layers than the limit allows. */
async function checkNesting(
  tx: Tx,
  jar: Pick<Jar, 'limits'>,
  group: Principal,
  added: readonly Principal[],
): Promise<void> {
  if (added.length === 0) return;
  const { accountId } = group;
  const inner = new Set(added.map(({ id }) => id));
  let above = 0;
  for (let level = new Set([group.id]); level.size > 0; above += 1) {
    for (const id of level)
      if (inner.has(id)) throw identityErrors.circle({ group: group.displayName ?? group.id, member: id });
    level = await levelOf(membershipsBy(tx, 'child', accountId, level), 'group');
  }
  let below = 0;
  for (let level = inner; level.size > 0; below += 1)
    level = await levelOf(membershipsBy(tx, 'above', accountId, level), 'member');
  checkBound(jar, 'group-layers', [accountId], above + below);
}

/** The next layer. A group found at several depths is in several layers, so that the count is the length of the longest chain. */
async function levelOf(found: AsyncGenerator<Membership>, end: 'group' | 'member'): Promise<Set<string>> {
  const level = new Set<string>();
  for await (const membership of found) level.add(membership[end]);
  return level;
}
