import { type Config, ConfigError } from '../config/config.ts';
import type { Limits } from '../limits/index.ts';
import { type ReadSettings, readSettings, SettingMistake } from './read.ts';
import type { SettingsTable } from './table.ts';

/** Reads the configured values of a settings table; throws a `ConfigError` if one is invalid. */
export function readConfigured<S extends object>(table: SettingsTable<S>, { services }: Config): ReadSettings<S> {
  try {
    return readSettings(table, services[table.service] ?? {});
  } catch (error) {
    if (!(error instanceof SettingMistake)) throw error;
    throw new ConfigError(`services.${table.service}: ${error.setting} ${error.message}`);
  }
}

/** Detects mistakes that a schema cannot, and applies configured limits. */
export function applyConfigured(
  table: SettingsTable<object>,
  { config, limits }: { readonly config: Config; readonly limits: Limits },
): void {
  for (const { row, limit } of readConfigured(table, config).limits) {
    if (limit !== null) limits.overrides.assume(row.limit, { limit });
  }
}
