import { collection, text } from '../../../kernel/store/index.ts';
import type { Account } from './account.ts';

/** A subscription key, under the hash of its secret. */
export interface StoredKey extends Account {
  /** The secret, which `GET /_jar/keys` shows again. */
  readonly sealed: string;
}

export const translatorKeys = collection<StoredKey>('translator.keys', {
  fields: { name: text(({ name }) => name.toLowerCase()) },
  indexes: [['name']],
  cached: true,
});
