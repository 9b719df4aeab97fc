import { createHmac } from 'node:crypto';
import type { Vault } from '../../../kernel/auth/index.ts';
import type { Subscription } from './collection.ts';

/** Addresses carry keys in their queries, and the client state is often a shared secret: the store never holds them in the clear. */
export interface SubscriptionSecrets {
  readonly notificationUrl: string;
  readonly clientState: string;
}

export const sealSecrets = (vault: Vault, { notificationUrl, clientState }: SubscriptionSecrets): string =>
  vault.seal(JSON.stringify({ notificationUrl, clientState }));

const MOST_OPENED = 2000;

/** Opens secrets, and keeps those that were opened: the same few are asked for again and again. */
export class OpenedSecrets {
  readonly #vault: Vault;
  readonly #known = new Map<string, SubscriptionSecrets>();

  constructor(vault: Vault) {
    this.#vault = vault;
  }

  /** The address and the client state of a subscription; throws if they were sealed under the key of another jar. */
  of({ secrets }: Pick<Subscription, 'secrets'>): SubscriptionSecrets {
    let found = this.#known.get(secrets);
    if (!found) {
      found = JSON.parse(this.#vault.open(secrets)) as SubscriptionSecrets;
      if (this.#known.size >= MOST_OPENED) this.#known.clear();
      this.#known.set(secrets, found);
    }
    return found;
  }

  /** Undefined for secrets that were sealed under the key of another jar (a snapshot from elsewhere). */
  readable(subscription: Pick<Subscription, 'secrets'>): SubscriptionSecrets | undefined {
    try {
      return this.of(subscription);
    } catch {
      return undefined;
    }
  }

  forget(): void {
    this.#known.clear();
  }
}

/** What is said of a subscription whose secrets are not readable. */
export const UNREADABLE =
  'was sealed under the key of another jar; it has to be renewed with its whole notificationUrl';

/** Tells the addresses of one company apart without showing them. */
export function addressOf(vault: Vault, companyKey: string, notificationUrl: string): string {
  return createHmac('sha256', vault.deriveKey('addresses of business subscriptions'))
    .update(JSON.stringify([companyKey, notificationUrl]))
    .digest('base64url')
    .slice(0, 24);
}
