import type { Jar } from '../../../kernel/service/index.ts';
import { eq, type Filter, type Reader, readAll, type Store, type Tx } from '../../../kernel/store/index.ts';
import { recordChange } from '../accounts/changes.ts';
import { findUsers } from '../accounts/find-people.ts';
import { isEmail } from '../accounts/names.ts';
import { type User, users } from '../collections.ts';
import { errors } from '../errors.ts';
import { TESTERS } from '../limits.ts';
import { type DistributionGroup, distributionGroups, type Tester, testerKey, testers } from './collections.ts';
import { subjectOfGroup } from './drop-groups.ts';
import { holdGroup } from './groups.ts';
import type { Place } from './places.ts';
import { type TesterOutcome, testerView } from './shape.ts';

/** Addresses per query. */
const AT_ONCE = 200;

/** Accounts keyed by address in lower case. */
async function accountsOf(reader: Reader, emails: readonly string[]): Promise<Map<string, User>> {
  const found = new Map<string, User>();
  for (let at = 0; at < emails.length; at += AT_ONCE) {
    const values = emails.slice(at, at + AT_ONCE);
    const { items } = await reader.query(users, { filter: { op: 'in', field: 'email', values }, limit: AT_ONCE });
    for (const { value } of items) found.set(value.email.toLowerCase(), value);
  }
  return found;
}

/** Distinct addresses in their first spelling, keyed by the compared form. */
function uniqueAddresses(emails: readonly string[]): Map<string, string> {
  const unique = new Map<string, string>();
  for (const email of emails) if (!unique.has(email.toLowerCase())) unique.set(email.toLowerCase(), email);
  return unique;
}

const failed = (user_email: string, status: number, code: string, message: string): TesterOutcome => ({
  user_email,
  status,
  code,
  message,
});

/** Adds testers with an account at once and invites the others. Returns one outcome per address, in the order of the request. */
export function addTesters(jar: Jar, place: Place, name: string, emails: readonly string[]): Promise<TesterOutcome[]> {
  const wanted = [...uniqueAddresses(emails)];
  const addedAt = new Date(jar.clock.now()).toISOString();
  return jar.store.transact(async (tx) => {
    const group = await holdGroup(tx, place, name);
    const accounts = await accountsOf(
      tx,
      wanted.map(([key]) => key),
    );
    const added: Tester[] = [];
    const outcomes: TesterOutcome[] = [];
    for (const [key, email] of wanted) {
      if (!isEmail(email)) {
        outcomes.push(failed(email, 400, 'BadRequest', `'${email.slice(0, 100)}' is not an e-mail address.`));
      } else if (await tx.get(testers, testerKey(group.id, key), 'none')) {
        outcomes.push(failed(email, 409, 'Conflict', `'${email}' is already a member of the distribution group.`));
      } else {
        const user = accounts.get(key);
        added.push({ groupId: group.id, email, addedAt, ...(user && { userId: user.id }) });
        outcomes.push(addedOutcome(email, user));
      }
    }
    await putTesters(tx, jar, group, added);
    return outcomes;
  });
}

const addedOutcome = (user_email: string, user: User | undefined): TesterOutcome =>
  user
    ? { user_email, status: 200, code: 'OK', message: 'The user was added to the distribution group.' }
    : {
        user_email,
        status: 200,
        code: 'OK',
        message: 'The user was invited to the distribution group.',
        invite_pending: true,
      };

async function putTesters(tx: Tx, jar: Jar, group: DistributionGroup, added: readonly Tester[]): Promise<void> {
  if (added.length === 0) return;
  const decision = await jar.limits.takeQuota(tx, { limit: TESTERS, scope: [group.id], count: added.length });
  if (!decision.allowed) {
    const reason = `The distribution group has ${decision.current} members; the maximum is ${decision.maximum}.`;
    throw errors.BadRequest({ reason });
  }
  await tx.putAll(
    testers,
    added.map((tester) => [testerKey(group.id, tester.email), tester]),
  );
  await recordChange(tx, jar, 'write', `${subjectOfGroup(group)}/members`, { added: added.length });
}

export function removeTesters(
  jar: Jar,
  place: Place,
  name: string,
  emails: readonly string[],
): Promise<TesterOutcome[]> {
  const wanted = [...uniqueAddresses(emails)];
  return jar.store.transact(async (tx) => {
    const group = await holdGroup(tx, place, name);
    const outcomes: TesterOutcome[] = [];
    for (const [key, email] of wanted) {
      const isGone = await tx.delete(testers, testerKey(group.id, key));
      const missing = `'${email.slice(0, 100)}' is not a member of the distribution group.`;
      outcomes.push(isGone ? { user_email: email, status: 200 } : failed(email, 404, 'NotFound', missing));
    }
    const removed = outcomes.filter(({ status }) => status === 200).length;
    await jar.limits.freeQuota(tx, { limit: TESTERS, scope: [group.id], count: removed });
    if (removed > 0) await recordChange(tx, jar, 'delete', `${subjectOfGroup(group)}/members`, { removed });
    return outcomes;
  });
}

/** Only writes change records; consumers of the feed send the mail. All addresses must have a pending invitation. */
export function inviteAgain(jar: Jar, place: Place, name: string, emails: readonly string[]): Promise<void> {
  return jar.store.transact(async (tx) => {
    const group = await holdGroup(tx, place, name);
    for (const email of uniqueAddresses(emails).values()) {
      const tester = (await tx.get(testers, testerKey(group.id, email), 'none'))?.value;
      if (tester && tester.userId === undefined) continue;
      throw errors.NotFound({ reason: `There is no pending invitation for '${email.slice(0, 100)}'.` });
    }
    await recordChange(tx, jar, 'action', `${subjectOfGroup(group)}/members`, { action: 'resend_invite' });
  });
}

interface Listing {
  readonly jar: Pick<Jar, 'store'>;
  readonly origin: string;
}

export async function listTesters(listing: Listing, { id }: DistributionGroup, withPending: boolean) {
  const { store } = listing.jar;
  const found = await readAll(store, testers, { filter: eq('groupId', id), order: [{ field: 'email' }] });
  const accounts = await accountsByIds(
    store,
    found.map(({ value }) => value),
  );
  return found
    .map(({ value }) => testerView(value, accounts.get(value.userId ?? ''), listing))
    .filter((view) => withPending || !('invite_pending' in view));
}

async function accountsByIds(store: Store, listed: readonly Tester[]): Promise<Map<string, User>> {
  const ids = listed.flatMap(({ userId }) => userId ?? []);
  return new Map((await findUsers(store, ids)).map((user) => [user.id, user]));
}

/** The ids of an app's testers: members of its own or shared groups who have accepted. */
export async function testersOfApp(reader: Reader, appId: string): Promise<string[]> {
  const filter: Filter = { op: 'or', args: [eq('ofId', appId), { op: 'has', field: 'appIds', value: appId }] };
  return testersIn(reader, filter);
}

/** The testers of an organization's shared groups. */
export const testersOfOrg = (reader: Reader, orgId: string): Promise<string[]> => testersIn(reader, eq('ofId', orgId));

async function testersIn(reader: Reader, groupsFilter: Filter): Promise<string[]> {
  const ids = new Set<string>();
  for (const { key } of await readAll(reader, distributionGroups, { filter: groupsFilter })) {
    for (const { value } of await readAll(reader, testers, { filter: eq('groupId', key) })) {
      if (value.userId !== undefined) ids.add(value.userId);
    }
  }
  return [...ids];
}
