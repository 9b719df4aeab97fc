import type { Tx } from '../../../kernel/store/index.ts';
import { type User, users } from '../collections.ts';
import { errors } from '../errors.ts';

/**
 * Locks the account of a user against deletion until the transaction ends, so that nothing is granted to a deleted user. Must be the first
 * lock of a transaction, as it is for the deletion.
 */
export async function holdAccount(tx: Tx, userId: string): Promise<User> {
  const account = (await tx.get(users, userId, 'share'))?.value;
  if (account) return account;
  throw errors.NotFound({ reason: 'The account no longer exists.' });
}
