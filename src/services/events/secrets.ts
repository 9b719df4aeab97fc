import type { Vault } from '../../kernel/auth/index.ts';
import type { Definition, Secrets } from './definition.ts';

export const sealSecrets = (vault: Vault, secrets: Secrets): string => vault.seal(JSON.stringify(secrets));

const NONE: Secrets = {};
const opened = new WeakMap<Definition, Secrets>();

/** Definitions come from the store's cache, so that the secrets of a busy subscription are opened once. */
export function secretsOf(vault: Vault, definition: Definition): Secrets {
  if (definition.sealed === undefined) return NONE;
  let secrets = opened.get(definition);
  if (!secrets) {
    secrets = JSON.parse(vault.open(definition.sealed)) as Secrets;
    opened.set(definition, secrets);
  }
  return secrets;
}

/**
 * For callers that can continue without secrets: secrets sealed under the key of another jar (a snapshot from elsewhere) are unreadable and
 * ignored.
 */
export function readableSecrets(vault: Vault, definition: Definition | undefined): Secrets {
  try {
    return definition ? secretsOf(vault, definition) : NONE;
  } catch {
    return NONE;
  }
}
