import { createHmac } from 'node:crypto';
import type { Vault } from '../../../kernel/auth/index.ts';
import type { Subscription } from './collection.ts';

/** Addresses often contain keys in their queries, and the client state is often a shared secret: the store only holds them sealed. */
export interface SubscriptionSecrets {
  readonly notificationUrl: string;
  readonly clientState: string;
}

export const sealSecrets = (vault: Vault, { notificationUrl, clientState }: SubscriptionSecrets): string =>
  vault.seal(JSON.stringify({ notificationUrl, clientState }));

const MOST_OPENED = 2000;

/** Opens secrets and caches them: the same few are needed repeatedly. */
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

  /** Returns undefined for secrets that were sealed under the key of another jar (a snapshot from elsewhere). */
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

/** Description of a subscription with unreadable secrets. */
export const UNREADABLE =
  'was sealed under the key of another jar; it has to be renewed with its whole notificationUrl';

/** Identifies an address within a company without revealing it. */
export function addressOf(vault: Vault, companyKey: string, notificationUrl: string): string {
  return createHmac('sha256', vault.deriveKey('addresses of business subscriptions'))
    .update(JSON.stringify([companyKey, notificationUrl]))
    .digest('base64url')
    .slice(0, 24);
}
