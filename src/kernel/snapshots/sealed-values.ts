import type { Vault } from '../auth/vault.ts';

/**
 * A sealed value has no other characters, and is never shorter: the nonce and the tag of 28 bytes are there for an empty text, too. What stands beside a plus
 * is a part of base64 of another kind, such as the content of a file: there are many, and to try each would take long.
 */
const MAY_BE_SEALED = /(?<![+A-Za-z0-9_-])[A-Za-z0-9_-]{38,}(?![+A-Za-z0-9_-])/g;
/** No bytes are written in base64 with so many characters. */
const isWhole = (text: string): boolean => text.length % 4 !== 1;

/**
 * Replaces every value in a text that the vault has sealed. A value is found wherever it stands, in JSON within JSON as well: its characters need
 * no escape, and what the vault did not seal it cannot open.
 */
export function replaceSealed(text: string, vault: Pick<Vault, 'tryOpen'>, replace: (plain: string) => string): string {
  return text.replace(MAY_BE_SEALED, (found) => {
    const plain = isWhole(found) ? vault.tryOpen(found) : undefined;
    return plain === undefined ? found : replace(plain);
  });
}

/** The same text for another vault. What was sealed can have sealed values in it. */
export function resealed(text: string, from: Pick<Vault, 'tryOpen'>, to: Pick<Vault, 'seal'>): string {
  return replaceSealed(text, from, (plain) => to.seal(resealed(plain, from, to)));
}
