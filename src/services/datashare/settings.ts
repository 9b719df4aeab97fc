import { join } from 'node:path';
import type { Static } from 'typebox';
import type { Jar } from '../../kernel/service/index.ts';
import type { SettingsSchema } from './settings-schema.ts';

export type Settings = Static<typeof SettingsSchema>;

/** Validated when the jar started. */
export const settingsOf = ({ config }: Pick<Jar, 'config'>): Settings => config.services.datashare ?? {};

export const storageRootOf = (jar: Pick<Jar, 'config'>): string =>
  settingsOf(jar).storageRoot ?? join(jar.config.data, 'storage');
