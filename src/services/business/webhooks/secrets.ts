import { createHmac } from 'node:crypto';
import type { Vault } from '../../../kernel/auth/vault.ts';
import type { Subscription } from './collection.ts';

/** Addresses carry keys in their queries, and the client state is often a shared secret: the store never holds them in the clear. */
export interface SubscriptionSecrets {
  readonly notificationUrl: string;
  readonly clientState: string;
}

export const sealSecrets = (vault: Vault, { notificationUrl, clientState }: SubscriptionSecrets): string =>
  vault.seal(JSON.stringify({ notificationUrl, clientState }));

const MOST_OPENED = 2000;
const opened = new WeakMap<Vault, Map<string, SubscriptionSecrets>>();

/** The address and the client state of a subscription. The same few are asked for again and again. */
export function secretsOf(vault: Vault, { secrets }: Pick<Subscription, 'secrets'>): SubscriptionSecrets {
  let known = opened.get(vault);
  if (!known) {
    known = new Map();
    opened.set(vault, known);
  }
  let found = known.get(secrets);
  if (!found) {
    found = JSON.parse(vault.open(secrets)) as SubscriptionSecrets;
    if (known.size >= MOST_OPENED) known.clear();
    known.set(secrets, found);
  }
  return found;
}

/** What is said of a subscription whose secrets are not readable. */
export const UNREADABLE =
  'was sealed under the key of another jar; it has to be renewed with its whole notificationUrl';

/** For those who can do without: what was sealed under the key of another jar (a snapshot from elsewhere) is nothing to them. */
export function readableSecrets(vault: Vault, subscription: Subscription): SubscriptionSecrets | undefined {
  try {
    return secretsOf(vault, subscription);
  } catch {
    return undefined;
  }
}

/** Tells the addresses of one company apart without showing them. */
export function addressOf(vault: Vault, companyKey: string, notificationUrl: string): string {
  return createHmac('sha256', vault.deriveKey('addresses of business subscriptions'))
    .update(JSON.stringify([companyKey, notificationUrl]))
    .digest('base64url')
    .slice(0, 24);
}
