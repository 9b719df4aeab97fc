import { describe, expect, it } from 'vitest';
import { Vault } from '../../../../src/kernel/auth/vault.ts';
import type { Subscription } from '../../../../src/services/business/webhooks/collection.ts';
import { addressOf, OpenedSecrets, sealSecrets } from '../../../../src/services/business/webhooks/secrets.ts';

const SECRETS = { notificationUrl: 'https://receiver.example/hook?code=hidden', clientState: 'confidential' };

describe('the address and the client state of a subscription', () => {
  const vault = Vault.withRandomKey();
  const subscription = { secrets: sealSecrets(vault, SECRETS) } as Subscription;

  it('are stored only sealed, and readable by the jar that sealed them', () => {
    expect(subscription.secrets).not.toMatch(/hidden|confidential|receiver/);
    const secrets = new OpenedSecrets(vault);
    expect(secrets.of(subscription)).toEqual(SECRETS);
    expect(secrets.readable(subscription)).toEqual(SECRETS);
  });

  it('are unreadable to every other jar, which can continue without them', () => {
    const others = new OpenedSecrets(Vault.withRandomKey());
    expect(() => others.of(subscription)).toThrow();
    expect(others.readable(subscription)).toBeUndefined();
  });

  it('go together with those of the same company and address, and with no others', () => {
    const { notificationUrl: url } = SECRETS;
    expect(addressOf(vault, 'c1', url)).toBe(addressOf(vault, 'c1', url));
    const others = [addressOf(vault, 'c2', url), addressOf(vault, 'c1', `${url}2`)];
    expect(new Set([addressOf(vault, 'c1', url), ...others]).size).toBe(3);
  });
});
