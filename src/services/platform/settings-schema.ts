import { Type } from 'typebox';
import type { SettingsRules } from '../../kernel/service/index.ts';

/** `services.platform` in cloudjar.config.json. */
export const SettingsSchema = Type.Object(
  {
    /** How long a cluster takes to start, by the jar's clock; all other times of machines are in proportion to it. 2 unless given, 240 as on the real platform. */
    clusterStartSeconds: Type.Optional(Type.Number({ minimum: 0, maximum: 3600 })),
    /** Folders below which repositories may be cloned from (`file://…`); none unless given. */
    gitFolders: Type.Optional(Type.Array(Type.String({ minLength: 1 }))),
    /** Where PagerDuty destinations send events (version 2 of its events API); nowhere unless given. */
    pagerDutyUrl: Type.Optional(Type.String({ pattern: '^https?://' })),
    /** Where Slack destinations with a token and a channel send messages (`chat.postMessage`); nowhere unless given. */
    slackUrl: Type.Optional(Type.String({ pattern: '^https?://' })),
    /** The image in which Python files, notebooks and scripts of tasks, and Python execution contexts run, where a container engine answers; one that it has unless given. */
    taskImage: Type.Optional(Type.String({ minLength: 1 })),
  },
  { additionalProperties: false },
);

export const settingsRules: SettingsRules = { schema: SettingsSchema };
