import type { Static } from 'typebox';
import { checkServiceSettings } from '../../kernel/config/service-settings.ts';
import type { Jar } from '../../kernel/jar-context.ts';
import type { SettingsSchema } from './settings-schema.ts';

/** `services.business` as it was written. */
export type ConfiguredSettings = Static<typeof SettingsSchema>;

/** As checked when the jar opened. */
export const settingsOf = ({ config }: Pick<Jar, 'config'>): ConfiguredSettings => config.services.business ?? {};

/** Refuses a configuration that cannot be, and puts what it says of limits in force. Called once, before the first request. */
export async function checkSettings(jar: Pick<Jar, 'config' | 'limits'>): Promise<void> {
  if (jar.config.services.business === undefined) return;
  await checkServiceSettings(jar.config, 'business', async () => (await import('./settings-schema.ts')).SettingsSchema);
  (await import('./settings-configured.ts')).applyConfigured(jar);
  if (settingsOf(jar).customApis) (await import('./model/custom.ts')).modelFor(jar.config);
}
