import type { Vault } from '../../kernel/auth/index.ts';
import type { Definition, Secrets } from './definition.ts';

export const sealSecrets = (vault: Vault, secrets: Secrets): string => vault.seal(JSON.stringify(secrets));

const NONE: Secrets = {};
const opened = new WeakMap<Definition, Secrets>();

/** Definitions come from the cache of the store, so that those of a busy subscription are opened once. */
export function secretsOf(vault: Vault, definition: Definition): Secrets {
  if (definition.sealed === undefined) return NONE;
  let secrets = opened.get(definition);
  if (!secrets) {
    secrets = JSON.parse(vault.open(definition.sealed)) as Secrets;
    opened.set(definition, secrets);
  }
  return secrets;
}

/** For those who can do without: what was sealed under the key of another jar (a snapshot from elsewhere) is nothing to them. */
export function readableSecrets(vault: Vault, definition: Definition | undefined): Secrets {
  try {
    return definition ? secretsOf(vault, definition) : NONE;
  } catch {
    return NONE;
  }
}
