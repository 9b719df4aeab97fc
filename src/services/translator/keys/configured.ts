import { ConfigError } from '../../../kernel/config/index.ts';
import type { Account } from './account.ts';
import { idOfKey } from './secrets.ts';
import type { GivenKey } from './shape.ts';

export interface ConfiguredKey extends Account {
  readonly key: string;
}

interface KeySettings {
  readonly keys?: readonly (GivenKey & { readonly key: string })[];
}

export interface ConfiguredKeys {
  readonly byId: ReadonlyMap<string, ConfiguredKey>;
  readonly byName: ReadonlyMap<string, ConfiguredKey>;
}

/** Keys of the configuration file. They are not stored, and override stored keys of the same name. */
export function configuredKeys({ keys = [] }: KeySettings): ConfiguredKeys {
  const given = keys.map((key) => ({ kind: 'translator' as const, ...key }));
  return {
    byId: new Map(given.map((key) => [idOfKey(key.key), key])),
    byName: new Map(given.map((key) => [key.name.toLowerCase(), key])),
  };
}

/** Checks that the schema cannot express. */
export function checkConfiguredKeys(settings: KeySettings): void {
  const { byId, byName } = configuredKeys(settings);
  const count = settings.keys?.length ?? 0;
  if (byName.size < count) throw new ConfigError('services.translator: keys has two keys of the same name');
  if (byId.size < count) throw new ConfigError('services.translator: keys has the same key under two names');
}
