import { decodeProtectedHeader, jwtVerify, SignJWT } from 'jose';
import type { Vault } from '../../../kernel/auth/index.ts';
import { errors } from '../errors.ts';
import type { TranslatorCall, TranslatorJar } from '../jar.ts';
import type { Account } from './account.ts';
import { readDirectoryToken } from './directory-token.ts';
import { findAccount } from './find.ts';

/** Tokens that are given for a key and stand for it for ten minutes. */
const LIFETIME_SECONDS = 600;
const ALGORITHM = 'HS256';
const ISSUER = 'urn:cloudjar:translator';

const secretOf = (vault: Vault): Buffer => vault.deriveKey('translator tokens');

export function issueToken({ vault, clock, id }: TranslatorJar, keyId: string, account: Account): Promise<string> {
  const now = Math.floor(clock.now() / 1000);
  return new SignJWT({ ...(account.region !== undefined && { region: account.region }) })
    .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT' })
    .setIssuer(ISSUER)
    .setAudience(id)
    .setSubject(keyId)
    .setIssuedAt(now)
    .setExpirationTime(now + LIFETIME_SECONDS)
    .sign(secretOf(vault));
}

/** Whose token it is: one of ours, or one of the directory. */
export function readToken(call: TranslatorCall, token: string): Promise<Account> {
  return isOurs(token) ? readOwnToken(call.jar, token) : readDirectoryToken(call, token);
}

function isOurs(token: string): boolean {
  try {
    return decodeProtectedHeader(token).alg === ALGORITHM;
  } catch {
    return false;
  }
}

/** A token is as good as its key: it ends when that is deleted, or becomes one of another API. */
async function readOwnToken(jar: TranslatorJar, token: string): Promise<Account> {
  const account = await findAccount(jar, await subjectOf(jar, token));
  if (!account) throw errors.Unauthorized({ reason: 'the key that the token was given for is no more' });
  if (account.kind === 'speech') throw errors.SpeechKey({ name: account.name });
  return account;
}

async function subjectOf({ vault, clock, id }: TranslatorJar, token: string): Promise<string> {
  try {
    const { payload } = await jwtVerify(token, secretOf(vault), {
      algorithms: [ALGORITHM],
      issuer: ISSUER,
      audience: id,
      requiredClaims: ['sub', 'exp'],
      currentDate: new Date(clock.now()),
    });
    return payload.sub as string;
  } catch (cause) {
    const isExpired = (cause as { code?: string }).code === 'ERR_JWT_EXPIRED';
    const reason = isExpired ? 'the token has expired; a token is good for ten minutes' : 'the token is not valid here';
    throw errors.Unauthorized({ reason }, { cause });
  }
}
