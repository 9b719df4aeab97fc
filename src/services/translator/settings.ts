import type { Static } from 'typebox';
import { checkServiceSettings } from '../../kernel/config/service-settings.ts';
import type { Jar } from '../../kernel/jar-context.ts';
import type { SettingsSchema } from './settings-schema.ts';

export type Settings = Static<typeof SettingsSchema>;

/** As checked when the jar opened. */
export const settingsOf = ({ config }: Pick<Jar, 'config'>): Settings => config.services.translator ?? {};

export async function checkSettings({ config }: Pick<Jar, 'config'>): Promise<void> {
  if (config.services.translator === undefined) return;
  await checkServiceSettings(config, 'translator', async () => (await import('./settings-schema.ts')).SettingsSchema);
  (await import('./keys/configured.ts')).checkConfiguredKeys({ config });
}
