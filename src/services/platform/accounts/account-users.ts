import { createHash } from 'node:crypto';
import type { Tx } from '../../../kernel/store/index.ts';
import { membershipKey, memberships, type Principal } from './collections.ts';

/** Everybody in an account: a group of the account whose members are its users and service principals, by themselves. */

const NAME = 'account users';

/** Follows from the account, so that nobody has to look it up. Below the ids that are drawn. */
export const accountUsersId = (accountId: string): string =>
  String(createHash('sha256').update(`account users of ${accountId}`).digest().readUIntBE(0, 5) + 1_000_000);

export const accountUsers = (accountId: string, now: number): Principal => ({
  id: accountUsersId(accountId),
  accountId,
  kind: 'group',
  system: true,
  displayName: NAME,
  active: true,
  roles: [],
  createdAt: now,
  updatedAt: now,
});

/** For the transaction that makes principals of an account. Groups are no members. */
export async function joinAccountUsers(tx: Tx, accountId: string, made: readonly Principal[]): Promise<void> {
  const group = accountUsersId(accountId);
  const members = made.filter(({ kind }) => kind !== 'group');
  await tx.putAll(
    memberships,
    members.map(({ id, kind }) => [
      membershipKey(accountId, group, id),
      { accountId, group, member: id, kind, system: true },
    ]),
  );
}
