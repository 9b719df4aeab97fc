import type { Vault } from '../auth/vault.ts';

/** A sealed value has no other characters, and is never shorter: the nonce and the tag of 28 bytes are there for an empty text, too. */
const MAY_BE_SEALED = /[A-Za-z0-9_-]{38,}/g;

/**
 * Replaces every value in a text that the vault has sealed. A value is found wherever it stands, in JSON within JSON as well: its characters need
 * no escape, and what the vault did not seal it cannot open.
 */
export function replaceSealed(text: string, vault: Pick<Vault, 'tryOpen'>, replace: (plain: string) => string): string {
  return text.replace(MAY_BE_SEALED, (found) => {
    const plain = vault.tryOpen(found);
    return plain === undefined ? found : replace(plain);
  });
}

/** The same text for another vault. What was sealed can have sealed values in it. */
export function resealed(text: string, from: Pick<Vault, 'tryOpen'>, to: Pick<Vault, 'seal'>): string {
  return replaceSealed(text, from, (plain) => to.seal(resealed(plain, from, to)));
}
