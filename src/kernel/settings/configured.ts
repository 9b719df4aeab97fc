import { type Config, ConfigError } from '../config/config.ts';
import type { Limits } from '../limits/index.ts';
import { type ReadSettings, readSettings, SettingMistake } from './read.ts';
import type { SettingsTable } from './table.ts';

/** What the configuration says of the settings of a table; throws a `ConfigError` where that cannot be. */
export function readConfigured<S extends object>(table: SettingsTable<S>, { services }: Config): ReadSettings<S> {
  try {
    return readSettings(table, services[table.service] ?? {});
  } catch (error) {
    if (!(error instanceof SettingMistake)) throw error;
    throw new ConfigError(`services.${table.service}: ${error.setting} ${error.message}`);
  }
}

/** Finds mistakes that a schema cannot, and puts the limits in force that are configured. */
export function applyConfigured(
  table: SettingsTable<object>,
  { config, limits }: { readonly config: Config; readonly limits: Limits },
): void {
  for (const { row, limit } of readConfigured(table, config).limits) {
    if (limit !== null) limits.overrides.assume(row.limit, { limit });
  }
}
