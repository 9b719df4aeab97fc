import type { Lifetime } from '../../kernel/auth/index.ts';
import { type Collection, collection, type Tx } from '../../kernel/store/index.ts';
import { defineWork } from '../../kernel/work/index.ts';

/** Due work removes the document when its lifetime is over. */
export type Expiring = Lifetime;

/** A browser in which people have signed in. The key is the hash of what its cookie holds. */
export interface Session extends Expiring {
  /** The newest sign-in first. A `sid` names that sign-in to applications; it gives no access. */
  accounts: { userId: string; sid: string }[];
}

/** What a token is asked for: the resource of the older endpoints, the scopes of the newer ones. */
export interface Wanted {
  version: '1.0' | '2.0';
  resource?: string;
  scope?: string;
}

/** What a user granted an application. The key is the hash of the handle that its code and its refresh tokens begin with. */
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
  /** Of the newest refresh token; an older one gives itself away by another hash. */
  refresh?: Lifetime & { hash: string };
}

/**
 * A sign-in of a program that has no browser of its own, which a user completes elsewhere. The key is the hash of the code that the user
 * types; what the program polls with is that key and a secret.
 */
export interface DeviceCode extends Expiring {
  clientId: string;
  /** The authority that it was begun at: a tenant's id, `common`, `organizations` or `adfs`. */
  tenant: string;
  wanted: Wanted;
  hash: string;
  /** When the code ends, by the jar's clock alone. It is remembered longer, so that whoever polls late learns the reason. */
  endsAt: number;
  state: 'pending' | 'approved' | 'declined' | 'redeemed';
  /** Who approved it. */
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
/** Failed sign-ins, which limits count by now. Kept so that snapshots that have some can be restored; due work removes them. */
export const attempts = collection<Expiring>('identity.attempts');

/** By their names, which are what due work carries. */
export const EXPIRING: Readonly<
  Record<string, Collection<Session> | Collection<Grant> | Collection<DeviceCode> | Collection<Expiring>>
> = {
  [sessions.name]: sessions,
  [grants.name]: grants,
  [deviceCodes.name]: deviceCodes,
  [attempts.name]: attempts,
};

/** Removes a document when its time is over. */
export const FORGET = defineWork<{ readonly from: string; readonly key: string }>('identity.forget');

const workId = (collectionName: string, key: string): string => `${FORGET.kind}:${collectionName}:${key}`;

/** Writes a document that goes away by itself. */
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
