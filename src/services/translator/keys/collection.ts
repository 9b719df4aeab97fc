import { collection, text } from '../../../kernel/store/index.ts';
import type { Account } from './account.ts';
import { idOfKey, seededSecret } from './secrets.ts';

/** A subscription key, stored under the hash of its secret. */
export interface StoredKey extends Account {
  /** The sealed secret, which `GET /_jar/keys` shows again. */
  readonly sealed: string;
}

export const translatorKeys = collection<StoredKey>('translator.keys', {
  fields: { name: text(({ name }) => name.toLowerCase()) },
  indexes: [['name']],
  cached: true,
  secrets: {
    what: 'subscription keys of the translator',
    afterwards: 'New keys were generated; cloudjar keys and GET /_jar/translator/keys show them',
    name: ({ name }) => name,
    secretKey: true,
    remove: (key) => ({ ...key, sealed: '' }),
    renew(key, sealer, id) {
      if (key.sealed !== '') return [id, key];
      const secret = seededSecret(sealer, key.name.toLowerCase());
      return [idOfKey(secret), { ...key, sealed: sealer.seal(secret) }];
    },
  },
});
