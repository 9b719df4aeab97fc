import type { Lifetime } from '../../kernel/auth/index.ts';
import { type Collection, collection, type Tx } from '../../kernel/store/index.ts';
import { defineWork } from '../../kernel/work/index.ts';

/** Due work deletes the document when its lifetime is over. */
export type Expiring = Lifetime;

/** The sign-in session of a browser. The key is the hash of its cookie's value. */
export interface Session extends Expiring {
  /** Newest sign-in first. Applications identify a sign-in by its `sid`, which gives no access. */
  accounts: { userId: string; sid: string }[];
}

/** What a token is requested for: a resource at the v1 endpoints, scopes at the v2 endpoints. */
export interface Wanted {
  version: '1.0' | '2.0';
  resource?: string;
  scope?: string;
}

/** A user's grant to an application. The key is the hash of the handle with which its code and its refresh tokens start. */
export interface Grant extends Expiring {
  clientId: string;
  userId: string;
  wanted: Wanted;
  code?: Lifetime & {
    hash: string;
    redirectUri: string;
    redeemed: boolean;
    nonce?: string;
    challenge?: { method: 'S256' | 'plain'; value: string };
  };
  /** Hash of the newest refresh token; an older token is recognised by its different hash. */
  refresh?: Lifetime & { hash: string };
}

/**
 * A sign-in of a program without a browser, which a user completes on another device (RFC 8628). The key is the hash of the user code; the
 * device code that the program polls with is that key and a secret.
 */
export interface DeviceCode extends Expiring {
  clientId: string;
  /** The authority at which it was started: a tenant's id, `common`, `organizations` or `adfs`. */
  tenant: string;
  wanted: Wanted;
  hash: string;
  /** When the code expires, by the jar's clock only. The document is kept longer, so that a late poll gets the reason. */
  endsAt: number;
  state: 'pending' | 'approved' | 'declined' | 'redeemed';
  /** The user who approved it. */
  userId?: string;
  intervalSeconds: number;
  /** The last poll by the jar's clock and by the system's. */
  polled?: { at: number; wall: number };
}

const SIGN_IN_AGAIN = 'They are left out: people and applications have to sign in again';

export const sessions = collection<Session>('identity.sessions', {
  secrets: { what: 'sessions of browsers', afterwards: SIGN_IN_AGAIN, secretKey: true, remove: () => undefined },
});
export const grants = collection<Grant>('identity.grants', {
  secrets: { what: 'codes and refresh tokens', afterwards: SIGN_IN_AGAIN, secretKey: true, remove: () => undefined },
});
export const deviceCodes = collection<DeviceCode>('identity.devices', {
  secrets: { what: 'codes of devices', afterwards: SIGN_IN_AGAIN, secretKey: true, remove: () => undefined },
});
/**
 * Failed sign-ins of earlier versions; they are now counted by limits. The collection is kept so that older snapshots can be restored; due
 * work empties it.
 */
export const attempts = collection<Expiring>('identity.attempts');

/** By collection name, which the work payload carries. */
export const EXPIRING: Readonly<
  Record<string, Collection<Session> | Collection<Grant> | Collection<DeviceCode> | Collection<Expiring>>
> = {
  [sessions.name]: sessions,
  [grants.name]: grants,
  [deviceCodes.name]: deviceCodes,
  [attempts.name]: attempts,
};

/** Deletes a document when its lifetime is over. */
export const FORGET = defineWork<{ readonly from: string; readonly key: string }>('identity.forget', {
  title: 'Deletes an expired session or code',
  subject: 'from',
});

const workId = (collectionName: string, key: string): string => `${FORGET.kind}:${collectionName}:${key}`;

/** Writes a document and schedules its deletion. */
export async function putExpiring<T extends Expiring>(
  tx: Tx,
  into: Collection<T>,
  key: string,
  value: T,
): Promise<void> {
  await tx.put(into, key, value);
  await tx.schedule(FORGET.at(value.expiresAt, { from: into.name, key }, workId(into.name, key)));
}

export async function deleteExpiring<T extends Expiring>(tx: Tx, from: Collection<T>, key: string): Promise<void> {
  await tx.delete(from, key);
  await tx.cancel(workId(from.name, key));
}
