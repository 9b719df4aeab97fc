import type { Tx } from '../../../kernel/store/index.ts';
import { type User, users } from '../collections.ts';
import { errors } from '../errors.ts';

/**
 * The account of a user, which nobody deletes until the transaction ends: who is gone gets nothing any more that would stay behind.
 * The first lock of a transaction that needs it, as it is for the deletion.
 */
export async function holdAccount(tx: Tx, userId: string): Promise<User> {
  const account = (await tx.get(users, userId, 'share'))?.value;
  if (account) return account;
  throw errors.NotFound({ reason: 'The account does not exist any more.' });
}
