import { newSecret, sameText, sha256 } from '../../kernel/auth/index.ts';
import { sourceOf } from '../../kernel/limits/index.ts';
import type { Call, Jar } from '../../kernel/service/index.ts';
import type { Tx } from '../../kernel/store/index.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS, wallNow } from '../../kernel/time/index.ts';
import { type DeviceCode, deviceCodes, putExpiring } from './collections.ts';
import { type IdentityError, identityErrors } from './errors.ts';
import { DEVICE_CODES } from './limits.ts';
import { rateLimitError } from './rate-limit-error.ts';

/** The device authorization grant (RFC 8628), from its start to the tokens. */

export const DEVICE_CODE_LIFETIME_MS = 15 * MINUTE_MS;
export const POLL_INTERVAL_SECONDS = 5;

/** RFC 8628 3.5: increase of the interval on `slow_down`. */
const SLOWER_BY_SECONDS = 5;
/** Tolerance for clients that poll slightly early. */
const TOLERATED_MS = SECOND_MS;

/** How long an expired code is remembered; after this a poll gets "unknown code". */
const REMEMBER_MS = HOUR_MS;

/** 32 characters that cannot be confused with each other, so that one character holds five random bits. */
const ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const USER_CODE_LENGTH = 9;

type Begun = Pick<DeviceCode, 'clientId' | 'tenant' | 'wanted'>;

export interface NewCodes {
  readonly deviceCode: string;
  readonly userCode: string;
}

const keyOf = (userCode: string): string => sha256(normalCode(userCode));

/** Normalises a typed code: people use lower case, blanks and hyphens. */
const normalCode = (typed: string): string => typed.toUpperCase().replace(/[^A-Z0-9]/g, '');

function newUserCode(): string {
  const bytes = Buffer.from(newSecret(), 'base64url').subarray(0, USER_CODE_LENGTH);
  return [...bytes].map((byte) => ALPHABET.charAt(byte % ALPHABET.length)).join('');
}

export async function beginDeviceCode(call: Call, begun: Begun): Promise<NewCodes> {
  const { jar, remoteAddress } = call;
  const source = sourceOf(remoteAddress);
  const taken = await jar.limits.take([{ limit: DEVICE_CODES, scope: [source] }], { id: source });
  if (!taken.allowed) throw rateLimitError(identityErrors.TooManyDeviceCodes, taken);
  const secret = newSecret();
  const codes = Array.from({ length: 4 }, newUserCode);
  const now = jar.clock.now();
  const document: DeviceCode = {
    ...begun,
    hash: sha256(secret),
    endsAt: now + DEVICE_CODE_LIFETIME_MS,
    state: 'pending',
    intervalSeconds: POLL_INTERVAL_SECONDS,
    expiresAt: now + REMEMBER_MS,
  };
  const userCode = await jar.store.transact(async (tx) => {
    for (const code of codes) {
      // A code in use must not be reassigned, however unlikely a collision is.
      if (await tx.get(deviceCodes, keyOf(code))) continue;
      await putExpiring(tx, deviceCodes, keyOf(code), document);
      return code;
    }
    throw new Error('four new user codes are in use already');
  });
  return { deviceCode: `${keyOf(userCode)}.${secret}`, userCode };
}

/** Finds a code that a user can still approve or decline, by user code. */
export async function findPending(jar: Jar, userCode: string): Promise<DeviceCode | undefined> {
  const found = (await jar.store.get(deviceCodes, keyOf(userCode)))?.value;
  return found && isPending(jar, found) ? found : undefined;
}

const isPending = (jar: Jar, { state, endsAt }: DeviceCode): boolean => state === 'pending' && jar.clock.now() < endsAt;

export type Decision = { readonly state: 'declined' } | { readonly state: 'approved'; readonly userId: string };

/** Returns false if the code was already decided or has expired. */
export function decide(jar: Jar, userCode: string, decision: Decision): Promise<boolean> {
  return jar.store.transact(async (tx) => {
    const found = (await tx.get(deviceCodes, keyOf(userCode)))?.value;
    if (!found || !isPending(jar, found)) return false;
    await putExpiring(tx, deviceCodes, keyOf(userCode), { ...found, ...decision });
    return true;
  });
}

/** Redeems an approved code. Otherwise throws an error that says whether to continue polling. */
export async function redeemDeviceCode(jar: Jar, token: string, clientId: string): Promise<DeviceCode> {
  const dot = token.indexOf('.');
  const [key, secretHash] = [token.slice(0, Math.max(dot, 0)), sha256(token.slice(dot + 1))];
  const wall = wallNow();
  const outcome = await jar.store.transact(async (tx) => {
    const found = (await tx.get(deviceCodes, key))?.value;
    if (!found || found.clientId !== clientId || !sameText(found.hash, secretHash)) {
      return identityErrors.DeviceCodeUnknown({ client: clientId });
    }
    return redeem({ tx, key, now: jar.clock.now(), wall }, found);
  });
  if (outcome instanceof Error) throw outcome;
  return outcome;
}

interface Poll {
  readonly tx: Tx;
  readonly key: string;
  readonly now: number;
  readonly wall: number;
}

/** Returns an error instead of throwing it, because an exception would roll back the record of this poll. */
async function redeem({ tx, key, now, wall }: Poll, found: DeviceCode): Promise<DeviceCode | IdentityError> {
  if (found.state === 'redeemed') return identityErrors.DeviceCodeRedeemed();
  if (now >= found.endsAt) {
    return found.wanted.version === '1.0' ? identityErrors.DeviceCodeExpiredV1() : identityErrors.DeviceCodeExpired();
  }
  if (found.state === 'declined') return identityErrors.AuthorizationDeclined();
  if (found.state === 'approved') {
    await putExpiring(tx, deviceCodes, key, { ...found, state: 'redeemed' });
    return found;
  }
  const tooSoon = found.polled !== undefined && elapsed(found.polled, now, wall) < leastMs(found);
  const intervalSeconds = found.intervalSeconds + (tooSoon ? SLOWER_BY_SECONDS : 0);
  await putExpiring(tx, deviceCodes, key, { ...found, intervalSeconds, polled: { at: now, wall } });
  return tooSoon ? identityErrors.SlowDown({ seconds: intervalSeconds }) : identityErrors.AuthorizationPending();
}

const leastMs = ({ intervalSeconds }: DeviceCode): number => intervalSeconds * SECOND_MS - TOLERATED_MS;

/** Clients wait by the system clock, and the jar's clock may stand still or jump, so the larger elapsed time counts. */
const elapsed = (polled: NonNullable<DeviceCode['polled']>, now: number, wall: number): number =>
  Math.max(now - polled.at, wall - polled.wall);
