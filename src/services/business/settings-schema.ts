import { Type } from 'typebox';
import { settingsRules as rulesFor } from '../../kernel/settings/index.ts';
import { CustomApisSchema } from './model/custom/schema.ts';
import { modelFor } from './model/custom.ts';
import { BUSINESS_SETTINGS } from './settings-table.ts';

const Milliseconds = Type.Optional(Type.Integer({ minimum: 1 }));

/** `services.business` in cloudjar.config.json. */
export const settingsRules = rulesFor(BUSINESS_SETTINGS, {
  properties: {
    /** Time limits of requests, in milliseconds of the jar's clock. */
    timeouts: Type.Optional(
      Type.Object(
        {
          /** Longest wait in the queue, then 503; default 8 minutes. */
          queueMs: Milliseconds,
          /** Longest run of one operation, then 408; default 8 minutes. */
          operationMs: Milliseconds,
          /** Longest time from the request to its answer, then 504; default 10 minutes. */
          gatewayMs: Milliseconds,
        },
        { additionalProperties: false },
      ),
    ),
    /** Number of changes whose outcome is kept; default 10,000, 0 for none. */
    changeTraces: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000 })),
    /** Custom APIs with their tables. */
    customApis: Type.Optional(CustomApisSchema),
  },
  /** A well-formed declaration can still name tables or fields that do not exist. */
  check: ({ config }) => {
    modelFor(config);
  },
});
