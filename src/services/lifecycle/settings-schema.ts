import { Type } from 'typebox';
import type { SettingsRules } from '../../kernel/service/index.ts';

/** `services.lifecycle` in cloudjar.config.json. */
export const SettingsSchema = Type.Object(
  {
    /** `closed`: what the real service has retired answers 410 from that date on, by the jar's clock. */
    retired: Type.Optional(Type.Enum(['open', 'closed'])),
  },
  { additionalProperties: false },
);

export const settingsRules: SettingsRules = { schema: SettingsSchema };
