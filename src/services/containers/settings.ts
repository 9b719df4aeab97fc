import type { Static } from 'typebox';
import type { Jar } from '../../kernel/service/index.ts';
import type { SettingsSchema } from './settings-schema.ts';

export type Settings = Static<typeof SettingsSchema>;

/** As validated at the start of the jar. */
export const settingsOf = ({ config }: Pick<Jar, 'config'>): Settings => config.services.containers ?? {};

export const DEFAULT_DNS_SUFFIX = 'containers.localhost';
