import { createHash } from 'node:crypto';
import type { Tx } from '../../../kernel/store/index.ts';
import { membershipKey, memberships, type Principal } from './collections.ts';

/** The group of all users and service principals of an account, all as direct members. */

const NAME = 'account users';

/** Derived from the account id, so that no lookup is needed. Below the range of randomly drawn ids. */
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

/** Called in the transaction that creates principals of an account. Groups are not members. */
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
