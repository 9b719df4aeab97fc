import type { Static } from 'typebox';
import { checkServiceSettings } from '../../kernel/config/service-settings.ts';
import type { Jar } from '../../kernel/jar-context.ts';
import type { SettingsSchema } from './settings-schema.ts';

export type Settings = Static<typeof SettingsSchema>;

/** As checked when the jar opened. */
export const settingsOf = ({ config }: Pick<Jar, 'config'>): Settings => config.services.containers ?? {};

export const checkSettings = ({ config }: Pick<Jar, 'config'>): Promise<void> =>
  checkServiceSettings(config, 'containers', async () => (await import('./settings-schema.ts')).SettingsSchema);

export const DEFAULT_DNS_SUFFIX = 'containers.localhost';
