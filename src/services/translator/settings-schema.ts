import { Type } from 'typebox';
import type { SettingsRules } from '../../kernel/service/index.ts';
import { checkConfiguredKeys } from './keys/configured.ts';
import { type GivenKey, keyList } from './keys/shape.ts';
import { settingsOf } from './settings.ts';

/** `services.translator` in cloudjar.config.json. */
export const SettingsSchema = Type.Object(
  {
    /** Detects only languages that the real service detects; the detector knows more. */
    liveDetectable: Type.Optional(Type.Boolean()),
    /** Subscription keys, beside those of the seed and of the control API. */
    keys: Type.Optional(Type.Unsafe<readonly (GivenKey & { readonly key: string })[]>(keyList(['name', 'key']))),
  },
  { additionalProperties: false },
);

export const settingsRules: SettingsRules = {
  schema: SettingsSchema,
  check: (jar) => checkConfiguredKeys(settingsOf(jar)),
};
