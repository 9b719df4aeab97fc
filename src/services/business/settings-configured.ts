import { type Config, ConfigError } from '../../kernel/config.ts';
import type { Jar } from '../../kernel/jar-context.ts';
import { settingsOf } from './settings.ts';
import { readMaximum, readSettings, SettingMistake, type StoredSettings } from './settings-table.ts';
import { SUBSCRIPTIONS } from './webhooks/limits.ts';

const known = new WeakMap<Config, StoredSettings>();

/** What the configuration says, read once. */
export function configuredSettings({ config }: Pick<Jar, 'config'>): StoredSettings {
  let settings = known.get(config);
  if (!settings) {
    settings = readConfigured(config, readSettings) as StoredSettings;
    known.set(config, settings);
  }
  return settings;
}

export const configuredMaximum = ({ config }: Pick<Jar, 'config'>): number | undefined =>
  readConfigured(config, readMaximum) ?? undefined;

/** Finds mistakes that a schema cannot, and lets the limit of subscriptions be what is configured. */
export function applyConfigured(jar: Pick<Jar, 'config' | 'limits'>): void {
  configuredSettings(jar);
  const limit = configuredMaximum(jar);
  if (limit !== undefined) jar.limits.overrides.assume(SUBSCRIPTIONS, { limit });
}

function readConfigured<R>(config: Config, read: (given: Readonly<Record<string, unknown>>) => R): R {
  try {
    return read(settingsOf({ config }));
  } catch (error) {
    if (error instanceof SettingMistake) throw new ConfigError(`services.business: ${error.setting} ${error.message}`);
    throw error;
  }
}
