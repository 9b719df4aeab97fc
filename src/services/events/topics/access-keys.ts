import type { Vault } from '../../../kernel/auth/index.ts';
import type { AccessKeys } from '../collections.ts';
import { newKey } from '../new-keys.ts';

export { newKeys } from '../new-keys.ts';

export const KEY_NAMES = ['key1', 'key2'] as const;

export const withNewKey = (vault: Vault, keys: AccessKeys, name: (typeof KEY_NAMES)[number]): AccessKeys => ({
  ...keys,
  [name]: newKey(vault),
});

const opened = new WeakMap<AccessKeys, AccessKeys>();

/** Opens sealed keys. Documents come from the store's cache, so that the keys of a busy topic are opened once. */
export function openKeys(vault: Vault, sealed: AccessKeys): AccessKeys {
  let keys = opened.get(sealed);
  if (!keys) {
    keys = { key1: vault.open(sealed.key1), key2: vault.open(sealed.key2) };
    opened.set(sealed, keys);
  }
  return keys;
}
