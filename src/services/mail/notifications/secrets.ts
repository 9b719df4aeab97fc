import type { Vault } from '../../../kernel/auth/index.ts';
import type { Subscription, SubscriptionSecrets } from './types.ts';

export const sealSecrets = (vault: Vault, secrets: SubscriptionSecrets): string => vault.seal(JSON.stringify(secrets));

/** Undefined if the secrets were sealed with the key of another jar: the snapshot comes from elsewhere. */
export function secretsOf(vault: Vault, { secrets }: Pick<Subscription, 'secrets'>): SubscriptionSecrets | undefined {
  try {
    return JSON.parse(vault.open(secrets)) as SubscriptionSecrets;
  } catch {
    return undefined;
  }
}
