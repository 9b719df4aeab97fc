import type { Static } from 'typebox';
import type { Jar } from '../../kernel/service/index.ts';
import type { SettingsSchema } from './settings-schema.ts';

export type Settings = Static<typeof SettingsSchema>;

const NONE: Settings = {};

/** Validated when the jar started. */
export const settingsOf = ({ config }: Pick<Jar, 'config'>): Settings => config.services.lifecycle ?? NONE;
