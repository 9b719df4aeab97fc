import { Type } from 'typebox';
import type { SettingsRules } from '../../kernel/service/index.ts';

/** `services.platform` in cloudjar.config.json. */
export const SettingsSchema = Type.Object(
  {
    /** Folders below which repositories may be cloned from (`file://…`); none unless given. */
    gitFolders: Type.Optional(Type.Array(Type.String({ minLength: 1 }))),
    /** The image in which Python files, notebooks and scripts of tasks run, where a container engine answers; one that it has unless given. */
    taskImage: Type.Optional(Type.String({ minLength: 1 })),
  },
  { additionalProperties: false },
);

export const settingsRules: SettingsRules = { schema: SettingsSchema };
