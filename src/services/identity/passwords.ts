import { hashPassword, passwordMatches, sameText, sha256, type User } from '../../kernel/auth/index.ts';
import type { Call } from '../../kernel/service/index.ts';
import { attempts, deleteExpiring, putExpiring } from './collections.ts';
import { identityErrors } from './errors.ts';
import { type Authority, mayUse } from './tenants.ts';

/** So many wrong passwords for one user from one address, then a pause. */
export const MOST_FAILURES = 10;
export const PAUSE_MS = 5 * 60_000;

/** The user of that name and password, or one answer for every way in which there is none. */
export async function checkPassword(
  call: Call,
  authority: Authority,
  username: string,
  password: string,
): Promise<User> {
  const user = await call.jar.directory.findUser(username);
  // A user has several names, and each can be written in several ways; together they have one row of attempts.
  const key = sha256(`${user?.id.toLowerCase() ?? normalName(username)}\n${call.remoteAddress}`);
  await countAttempt(call, key);
  if (!user) await takeTheTimeOfAPassword(password);
  if (!user || !(await isPasswordOf(call, user, password))) throw identityErrors.WrongPassword();
  await call.jar.store.transact((tx) => deleteExpiring(tx, attempts, key));
  if (!mayUse(authority, user)) {
    throw identityErrors.ForeignUser({
      user: user.username,
      tenant: authority.tenant?.displayName ?? authority.segment,
    });
  }
  return user;
}

/** Counted before the password is looked at: a thousand guesses at once are a thousand guesses. */
async function countAttempt(call: Call, key: string): Promise<void> {
  const now = call.jar.clock.now();
  const allowed = await call.jar.store.transact(async (tx) => {
    const found = (await tx.get(attempts, key))?.value;
    const failures = found && found.expiresAt > now ? found.failures : 0;
    if (failures >= MOST_FAILURES) return false;
    await putExpiring(tx, attempts, key, { failures: failures + 1, expiresAt: now + PAUSE_MS });
    return true;
  });
  if (!allowed) throw identityErrors.TooManyAttempts({ minutes: PAUSE_MS / 60_000 });
}

const normalName = (username: string): string => username.normalize('NFKC').trim().toLowerCase();

/** An answer that comes at once would say that there is no such user. */
async function takeTheTimeOfAPassword(password: string): Promise<void> {
  await hashPassword(password);
}

function isPasswordOf(call: Call, user: User, password: string): Promise<boolean> | boolean {
  if (user.passwordHash !== undefined) return passwordMatches(password, user.passwordHash);
  return sameText(password, call.jar.seedCredentials.password);
}
