import { ConfigError } from '../../../kernel/config/index.ts';
import type { SeedSection } from '../../../kernel/service/index.ts';
import { translatorKeys } from './collection.ts';
import { idOfKey, seededSecret } from './secrets.ts';
import { type GivenKey, keyList } from './shape.ts';

/** Initial key of a jar: global, and without a tier. */
export const DEFAULT_KEY = 'default';

interface KeySeed {
  readonly keys: readonly GivenKey[];
}

const defaults: KeySeed = { keys: [{ name: DEFAULT_KEY }] };

const schema = {
  type: 'object',
  additionalProperties: false,
  required: ['keys'],
  properties: { keys: keyList(['name']) },
};

export const keySeed: SeedSection = {
  schema: schema as never,
  defaults,
  prepare:
    async (content) =>
    async (tx, { vault }) => {
      const { keys } = content as KeySeed;
      const taken = new Set<string>();
      for (const { key, kind = 'translator', ...said } of keys) {
        const secret = key ?? seededSecret(vault, said.name.toLowerCase());
        const id = idOfKey(secret);
        const name = said.name.toLowerCase();
        if (taken.has(id) || taken.has(name)) {
          throw new ConfigError(`seed file: translator.keys: '${said.name}' has the name or the key of another`);
        }
        taken.add(id).add(name);
        await tx.put(translatorKeys, id, { ...said, kind, sealed: vault.seal(secret) });
      }
    },
};
