import { decodeProtectedHeader, type JWTPayload, jwtVerify, SignJWT } from 'jose';
import { lifetimeOf, TIMES_UNCHECKED, type Vault, WALL_EXPIRY_CLAIM } from '../../../kernel/auth/index.ts';
import { errors } from '../errors.ts';
import type { TranslatorCall, TranslatorJar } from '../jar.ts';
import type { Account } from './account.ts';
import { readDirectoryToken } from './directory-token.ts';
import { findAccount } from './find.ts';

/** Tokens that are issued for a key and replace it for ten minutes. */
const LIFETIME_SECONDS = 600;
const ALGORITHM = 'HS256';
const ISSUER = 'urn:cloudjar:translator';

const secretOf = (vault: Vault): Buffer => vault.deriveKey('translator tokens');

export function issueToken(
  { vault, clock, lifetimes, id }: TranslatorJar,
  keyId: string,
  account: Account,
): Promise<string> {
  const now = Math.floor(clock.now() / 1000);
  const { wallExpiresAt } = lifetimes.begin(LIFETIME_SECONDS * 1000, now * 1000);
  const region = account.region === undefined ? {} : { region: account.region };
  return new SignJWT({ ...region, [WALL_EXPIRY_CLAIM]: wallExpiresAt / 1000 })
    .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT' })
    .setIssuer(ISSUER)
    .setAudience(id)
    .setSubject(keyId)
    .setIssuedAt(now)
    .setExpirationTime(now + LIFETIME_SECONDS)
    .sign(secretOf(vault));
}

/** The account of a token, which was issued by this API or by the directory. */
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

/** A token is valid only as long as its key: it becomes invalid if the key is deleted or changed to another API. */
async function readOwnToken(jar: TranslatorJar, token: string): Promise<Account> {
  const account = await findAccount(jar, await subjectOf(jar, token));
  if (!account) throw errors.Unauthorized({ reason: 'the key of the token has been removed' });
  if (account.kind === 'speech') throw errors.SpeechKey({ name: account.name });
  return account;
}

async function subjectOf(jar: TranslatorJar, token: string): Promise<string> {
  const claims = await verifiedClaims(jar, token);
  if (jar.lifetimes.isOver(lifetimeOf(claims))) {
    throw errors.Unauthorized({ reason: 'the token has expired; a token is valid for ten minutes' });
  }
  return String(claims.sub);
}

async function verifiedClaims({ vault, id }: TranslatorJar, token: string): Promise<JWTPayload> {
  try {
    const { payload } = await jwtVerify(token, secretOf(vault), {
      algorithms: [ALGORITHM],
      issuer: ISSUER,
      audience: id,
      requiredClaims: ['sub', 'exp'],
      ...TIMES_UNCHECKED,
    });
    return payload;
  } catch (cause) {
    throw errors.Unauthorized({ reason: 'the token is not valid here' }, { cause });
  }
}
