import { shortId } from '../ids/index.ts';
import { collection, number, text } from '../store/collection.ts';
import type { Store } from '../store/types.ts';
import { processTime, wallNow } from '../time/index.ts';

/** A sign-in of a user or an application, or a failed one. It contains no password, secret, code or token. */
export interface SignIn {
  /** Microseconds of real time: the order of sign-ins while the jar's clock stands still. */
  readonly order: number;
  /** By the jar's clock. */
  readonly at: number;
  /** The grant type of the token endpoint; `authorize` and `device page` for sign-ins on pages. */
  readonly flow: string;
  /** Absent if the sign-in succeeded. */
  readonly error?: { readonly code: string; readonly number: number; readonly message: string };
  /** A tenant's id, `common`, `organizations` or `adfs`. */
  readonly tenant: string;
  readonly applicationId?: string;
  readonly application?: string;
  readonly userId?: string;
  readonly username?: string;
  readonly resource?: string;
  readonly scope?: string;
  readonly address: string;
  readonly userAgent?: string;
  readonly requestId: string;
}

export const signIns = collection<SignIn>('auth.sign_ins', {
  fields: {
    order: number((each) => each.order),
    application: text((each) => each.applicationId ?? ''),
    user: text((each) => each.userId ?? ''),
  },
  indexes: [['order'], ['application', 'order'], ['user', 'order']],
});

/** The newest sign-ins are kept. */
export const MOST_SIGN_INS = 5_000;
/** One write in so many removes what is too much, so that no node has to count. */
const PRUNED_EVERY = 32;
const PRUNED_AT_ONCE = 500;
/** Real time at the start of the process, to which its monotonic time is added. */
const STARTED_AT = wallNow() - processTime();
const DIGITS = 17;

export async function recordSignIn(store: Store, signIn: Omit<SignIn, 'order'>, most = MOST_SIGN_INS): Promise<void> {
  const order = Math.round((STARTED_AT + processTime()) * 1000);
  const key = `${String(order).padStart(DIGITS, '0')}${shortId(4)}`;
  await store.transact((tx) => tx.put(signIns, key, { ...signIn, order }));
  if (order % PRUNED_EVERY === 0) await pruneSignIns(store, most);
}

export async function pruneSignIns(store: Store, most = MOST_SIGN_INS): Promise<void> {
  const surplus = (await store.count(signIns)) - most;
  if (surplus <= 0) return;
  const order = [{ field: 'order' }];
  await store.transact(async (tx) => {
    const { items } = await tx.query(signIns, { order, limit: Math.min(surplus, PRUNED_AT_ONCE) });
    for (const { key } of items) await tx.delete(signIns, key);
  });
}
