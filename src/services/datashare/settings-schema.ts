import { Type } from 'typebox';
import { ConfigError } from '../../kernel/config/index.ts';
import { BadConnectionString } from '../../kernel/outbound/index.ts';
import { readStorageAccount } from '../../kernel/outbound/storage/index.ts';
import type { Jar, SettingsRules } from '../../kernel/service/index.ts';
import { settingsOf } from './settings.ts';

const Optional = Type.Optional;

/** The schema of `services.datashare` in cloudjar.config.json. */
export const SettingsSchema = Type.Object(
  {
    /** The folder with one folder per storage account, each with one folder per container. Default: `storage` in the data folder. */
    storageRoot: Optional(Type.String({ minLength: 1 })),
    /** Storage accounts that are blob storage: name to connection string, for example `UseDevelopmentStorage=true`. */
    storageAccounts: Optional(Type.Record(Type.String(), Type.String({ minLength: 1 }))),
  },
  { additionalProperties: false },
);

export const settingsRules: SettingsRules = { schema: SettingsSchema, check: checkAccounts };

/** Reports an incomplete connection string at the start instead of during the first run. */
function checkAccounts(jar: Jar): void {
  for (const [name, connection] of Object.entries(settingsOf(jar).storageAccounts ?? {})) {
    try {
      readStorageAccount(connection, ['blob']);
    } catch (error) {
      if (!(error instanceof BadConnectionString)) throw error;
      throw new ConfigError(`services.datashare.storageAccounts: the connection string of '${name}' ${error.message}`);
    }
  }
}
