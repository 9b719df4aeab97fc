import { hashPassword, passwordMatches, sameText, sha256, type User } from '../../kernel/auth/index.ts';
import { admitAttempt, countWrongCredential } from '../../kernel/limits/index.ts';
import type { Call } from '../../kernel/service/index.ts';
import { IdentityError, identityErrors } from './errors.ts';
import { PASSWORDS_AT_ONCE, WRONG_PASSWORDS, WRONG_PASSWORDS_OF_AN_ADDRESS } from './limits.ts';
import { rateLimitError } from './rate-limit-error.ts';
import { type Authority, checkUser } from './tenants.ts';

/** Returns the user with that name and password; throws the same error for every mismatch. */
export async function checkPassword(
  call: Call,
  authority: Authority,
  username: string,
  password: string,
): Promise<User> {
  const user = await call.jar.directory.findUser(username);
  if (!(await isRight(call, user, username, password)) || !user) throw await wrongPassword(call, user, username);
  checkUser(authority, user);
  return user;
}

/** Like `checkPassword`, but returns the error: on a page the user corrects the password, and the application is not informed. */
export async function tryPassword(
  call: Call,
  authority: Authority,
  username: string,
  password: string,
): Promise<User | IdentityError> {
  try {
    return await checkPassword(call, authority, username, password);
  } catch (error) {
    if (error instanceof IdentityError) return error;
    throw error;
  }
}

/** Compares nothing after too many wrong passwords. */
async function isRight(call: Call, user: User | undefined, username: string, password: string): Promise<boolean> {
  const { jar, remoteAddress } = call;
  const scopes = scopesOf(user, username);
  const guess = await admitAttempt({ jar, remoteAddress, wrong: WRONG_PASSWORDS, atOnce: PASSWORDS_AT_ONCE, scopes });
  if (!('done' in guess)) throw rateLimitError(identityErrors.TooManyAttempts, guess);
  try {
    if (user) return await isPasswordOf(call, user, password);
    await spendHashTime(password);
    return false;
  } finally {
    guess.done();
  }
}

/** A user has several names and spellings; all count against one limit. */
const scopesOf = (user: User | undefined, username: string): { readonly user: string } => ({
  user: sha256(user?.id.toLowerCase() ?? normalName(username)),
});

async function wrongPassword(call: Call, user: User | undefined, username: string): Promise<IdentityError> {
  const limits = [WRONG_PASSWORDS, WRONG_PASSWORDS_OF_AN_ADDRESS];
  const { jar, remoteAddress } = call;
  const tooMany = await countWrongCredential({ jar, remoteAddress, limits, scopes: scopesOf(user, username) });
  return tooMany ? rateLimitError(identityErrors.TooManyAttempts, tooMany) : identityErrors.WrongPassword();
}

const normalName = (username: string): string => username.normalize('NFKC').trim().toLowerCase();

/** Hashes a password for unknown users too, because a faster answer would reveal that the user does not exist. */
async function spendHashTime(password: string): Promise<void> {
  await hashPassword(password);
}

function isPasswordOf(call: Call, user: User, password: string): Promise<boolean> | boolean {
  if (user.passwordHash !== undefined) return passwordMatches(password, user.passwordHash);
  return sameText(password, call.jar.seedCredentials.password);
}
