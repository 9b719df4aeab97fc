import { Type } from 'typebox';
import type { SettingsRules } from '../../kernel/service/index.ts';

/** `services.platform` in cloudjar.config.json. */
export const SettingsSchema = Type.Object(
  {
    /**
     * Duration of a cluster's start, by the jar's clock; all other machine times are proportional to it. Default: 2; on the real platform
     * about 240.
     */
    clusterStartSeconds: Type.Optional(Type.Number({ minimum: 0, maximum: 3600 })),
    /** Folders that repositories may be cloned from (`file://…`). Default: none. */
    gitFolders: Type.Optional(Type.Array(Type.String({ minLength: 1 }))),
    /** URL that PagerDuty destinations send events to (version 2 of its events API). Default: none; events are not sent. */
    pagerDutyUrl: Type.Optional(Type.String({ pattern: '^https?://' })),
    /**
     * URL that Slack destinations with a token and a channel send messages to (`chat.postMessage`). Default: none; messages are not sent.
     */
    slackUrl: Type.Optional(Type.String({ pattern: '^https?://' })),
    /**
     * Image for Python files, notebooks and scripts of tasks, and for Python execution contexts, if a container engine is available.
     * Default: an image that the engine already has.
     */
    taskImage: Type.Optional(Type.String({ minLength: 1 })),
  },
  { additionalProperties: false },
);

export const settingsRules: SettingsRules = { schema: SettingsSchema };
