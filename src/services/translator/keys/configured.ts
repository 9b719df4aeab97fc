import { type Config, ConfigError } from '../../../kernel/config.ts';
import type { Jar } from '../../../kernel/jar-context.ts';
import { settingsOf } from '../settings.ts';
import type { Account } from './account.ts';
import { idOfKey } from './secrets.ts';

export interface ConfiguredKey extends Account {
  readonly key: string;
}

interface ConfiguredKeys {
  readonly byId: ReadonlyMap<string, ConfiguredKey>;
  readonly byName: ReadonlyMap<string, ConfiguredKey>;
}

const known = new WeakMap<Config, ConfiguredKeys>();

/** Keys of the configuration file. They are nowhere else, and take the place of a stored key with the same name. */
export function configuredKeys({ config }: Pick<Jar, 'config'>): ConfiguredKeys {
  let keys = known.get(config);
  if (!keys) {
    const given = (settingsOf({ config }).keys ?? []).map((key) => ({ kind: 'translator' as const, ...key }));
    keys = {
      byId: new Map(given.map((key) => [idOfKey(key.key), key])),
      byName: new Map(given.map((key) => [key.name.toLowerCase(), key])),
    };
    known.set(config, keys);
  }
  return keys;
}

/** What a schema cannot say of them. */
export function checkConfiguredKeys(jar: Pick<Jar, 'config'>): void {
  const { byId, byName } = configuredKeys(jar);
  const count = settingsOf(jar).keys?.length ?? 0;
  if (byName.size < count) throw new ConfigError('services.translator: keys has two keys of the same name');
  if (byId.size < count) throw new ConfigError('services.translator: keys has the same key under two names');
}
