import type { Vault } from '../auth/vault.ts';

/**
 * Sealed values consist of these characters and are never shorter, since nonce and tag take 28 bytes even for an empty text. Text next to a
 * plus is another kind of base64, such as file content: it is frequent, and trying each match would take long.
 */
const MAY_BE_SEALED = /(?<![+A-Za-z0-9_-])[A-Za-z0-9_-]{38,}(?![+A-Za-z0-9_-])/g;
/** False for lengths that no base64 encoding has. */
const isWhole = (text: string): boolean => text.length % 4 !== 1;

/**
 * Replaces every sealed value of the vault in a text. A value is found anywhere, including JSON within JSON: its characters need no escape,
 * and text that the vault has not sealed cannot be opened.
 */
export function replaceSealed(text: string, vault: Pick<Vault, 'tryOpen'>, replace: (plain: string) => string): string {
  return text.replace(MAY_BE_SEALED, (found) => {
    const plain = isWhole(found) ? vault.tryOpen(found) : undefined;
    return plain === undefined ? found : replace(plain);
  });
}

/** Reseals a text for another vault. A sealed text can contain sealed values itself. */
export function resealed(text: string, from: Pick<Vault, 'tryOpen'>, to: Pick<Vault, 'seal'>): string {
  return replaceSealed(text, from, (plain) => to.seal(resealed(plain, from, to)));
}
