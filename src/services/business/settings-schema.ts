import { Type } from 'typebox';
import { settingsRules as rulesFor } from '../../kernel/settings/index.ts';
import { CustomApisSchema } from './model/custom/schema.ts';
import { modelFor } from './model/custom.ts';
import { BUSINESS_SETTINGS } from './settings-table.ts';

const Milliseconds = Type.Optional(Type.Integer({ minimum: 1 }));

/** `services.business` in cloudjar.config.json. */
export const settingsRules = rulesFor(BUSINESS_SETTINGS, {
  properties: {
    /** How long requests wait and work, in milliseconds of the jar's clock. */
    timeouts: Type.Optional(
      Type.Object(
        {
          /** For room, before 503; 8 minutes unless given. */
          queueMs: Milliseconds,
          /** On one operation, before 408; 8 minutes unless given. */
          operationMs: Milliseconds,
          /** From the request to its answer, before 504; 10 minutes unless given. */
          gatewayMs: Milliseconds,
        },
        { additionalProperties: false },
      ),
    ),
    /** How many changes are kept with what became of them; 10,000 unless given, 0 for none. */
    changeTraces: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000 })),
    /** Declared APIs with their tables: see the page about them. */
    customApis: Type.Optional(CustomApisSchema),
  },
  /** A declaration may be well-formed and still name tables or fields that are not there. */
  check: ({ config }) => {
    modelFor(config);
  },
});
