import type { Static } from 'typebox';
import { checkServiceSettings } from '../../kernel/config/service-settings.ts';
import type { Jar } from '../../kernel/jar-context.ts';
import type { SettingsSchema } from './settings-schema.ts';

export type Settings = Static<typeof SettingsSchema>;

const NONE: Settings = {};

/** As checked when the jar opened. */
export const settingsOf = ({ config }: Pick<Jar, 'config'>): Settings => config.services.lifecycle ?? NONE;

export const checkSettings = ({ config }: Pick<Jar, 'config'>): Promise<void> =>
  checkServiceSettings(config, 'lifecycle', async () => (await import('./settings-schema.ts')).SettingsSchema);
