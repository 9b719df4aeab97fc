import { type TSchema, Type } from 'typebox';
import { CustomApisSchema } from './model/custom/schema.ts';
import { MAXIMUM_SUBSCRIPTIONS, SETTING_ROWS, type SettingKind, spellingsOf } from './settings-table.ts';

const Duration = Type.Union([Type.String({ minLength: 1 }), Type.Integer({ minimum: 0 })]);
const Count = Type.Integer({ minimum: 0 });

const hookOf = (value: TSchema) =>
  Type.Union([
    value,
    Type.Array(
      Type.Object(
        {
          company: Type.Optional(Type.String({ minLength: 1 })),
          resource: Type.Optional(Type.String({ minLength: 1 })),
          value,
        },
        { additionalProperties: false },
      ),
    ),
  ]);

const KINDS: Readonly<Record<SettingKind, TSchema>> = {
  duration: Duration,
  durations: Type.Array(Duration),
  count: Count,
  durationHook: hookOf(Duration),
  countHook: hookOf(Count),
};

/** Under both of its spellings; what else a value has to be is said by the table of settings. */
const twice = (name: string, schema: TSchema): [string, TSchema][] =>
  spellingsOf(name).map((spelling) => [spelling, Type.Optional(schema)]);

const entries = [
  ...Object.entries(SETTING_ROWS).flatMap(([name, { kind, title }]) =>
    twice(name, { ...KINDS[kind], description: title } as TSchema),
  ),
  ...twice(MAXIMUM_SUBSCRIPTIONS, { ...Count, description: 'The most subscriptions of a tenant' } as TSchema),
];

/** Of subscriptions and notifications: in the configuration file, and in changes at run time. */
export const WEBHOOK_PROPERTIES: Readonly<Record<string, TSchema>> = Object.fromEntries(entries);

/** `services.business` in cloudjar.config.json. */
export const SettingsSchema = Type.Object(
  {
    ...WEBHOOK_PROPERTIES,
    /** How long requests wait and work, in milliseconds of the jar's clock. */
    timeouts: Type.Optional(
      Type.Object(
        {
          /** For room, before 503; 8 minutes unless given. */
          queueMs: Type.Optional(Type.Integer({ minimum: 1 })),
          /** On one operation, before 408; 8 minutes unless given. */
          operationMs: Type.Optional(Type.Integer({ minimum: 1 })),
          /** From the request to its answer, before 504; 10 minutes unless given. */
          gatewayMs: Type.Optional(Type.Integer({ minimum: 1 })),
        },
        { additionalProperties: false },
      ),
    ),
    /** How many changes are kept with what became of them; 10,000 unless given, 0 for none. */
    changeTraces: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000 })),
    /** Declared APIs with their tables: see the page about them. */
    customApis: Type.Optional(CustomApisSchema),
  },
  { additionalProperties: false },
);
