import { Type } from 'typebox';
import type { SettingsRules } from '../../kernel/service/index.ts';

/** The schema of `services.lifecycle` in cloudjar.config.json. */
export const SettingsSchema = Type.Object(
  {
    /** `closed`: operations retired by the real service respond with 410 from their retirement date on, in the jar's time. */
    retired: Type.Optional(Type.Enum(['open', 'closed'])),
  },
  { additionalProperties: false },
);

export const settingsRules: SettingsRules = { schema: SettingsSchema };
