import { type TSchema, Type } from 'typebox';

const DAYS_30_MS = 30 * 24 * 3600 * 1000;
const Values = Type.Record(Type.String(), Type.String({ maxLength: 1024 }));
const Pause = Type.Integer({ minimum: 0, maximum: DAYS_30_MS });
const Often = Type.Integer({ minimum: 1, maximum: 1_000_000_000 });

export const MatchSchema = Type.Object({
  direction: Type.Optional(Type.Enum(['inbound', 'outbound'])),
  service: Type.Optional(Type.String()),
  method: Type.Optional(Type.String()),
  path: Type.Optional(Type.String({ minLength: 1, maxLength: 1024, description: 'A glob: * crosses slashes' })),
  query: Type.Optional(Values),
  headers: Type.Optional(Values),
});

export const EffectSchema = Type.Object({
  status: Type.Optional(Type.Integer({ minimum: 200, maximum: 599 })),
  headers: Type.Optional(Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()]))),
  body: Type.Optional(Type.Unknown()),
  throttledAs500: Type.Optional(Type.Boolean()),
  latencyMs: Type.Optional(Pause),
  drop: Type.Optional(Type.Boolean()),
  dropAnswer: Type.Optional(Type.Boolean()),
  slowBodyMs: Type.Optional(Pause),
  cutBodyAfter: Type.Optional(Type.Integer({ minimum: 0, maximum: 2 ** 31 })),
  duplicate: Type.Optional(Type.Boolean()),
  outOfOrder: Type.Optional(Type.Boolean()),
  afterDelete: Type.Optional(Type.Boolean()),
});

const Share = Type.Number({ minimum: 0, maximum: 1 });
const Seed = Type.Union([Type.Integer(), Type.String({ maxLength: 200 })]);

const SCHEDULE = {
  count: Type.Optional(Often),
  nth: Type.Optional(Often),
  every: Type.Optional(Often),
  share: Type.Optional(Share),
  seed: Type.Optional(Seed),
};

const Enabled = Type.Boolean({ description: 'A disabled rule neither counts nor acts' });

/** A rule in a request. `readRule` rejects unknown members, because it can suggest what was probably meant. */
export const RuleSchema = Type.Object({
  match: Type.Optional(MatchSchema),
  effect: EffectSchema,
  ...SCHEDULE,
  enabled: Type.Optional(Enabled),
});

const orNull = <S extends TSchema>(schema: S) => Type.Optional(Type.Union([schema, Type.Null()]));

/** Changes of a rule: absent members stay, null removes one. */
export const RulePatchSchema = Type.Object({
  match: orNull(MatchSchema),
  effect: Type.Optional(EffectSchema),
  count: orNull(Often),
  nth: orNull(Often),
  every: orNull(Often),
  share: orNull(Share),
  seed: orNull(Seed),
  enabled: Type.Optional(Enabled),
});

/** A rule in a response. */
export const RuleViewSchema = Type.Object({
  id: Type.String(),
  createdAt: Type.String(),
  match: MatchSchema,
  effect: EffectSchema,
  ...SCHEDULE,
  enabled: Enabled,
  state: Type.Enum(['armed', 'exhausted', 'disabled']),
  matched: Type.Integer(),
  hits: Type.Integer(),
  lastHitAt: Type.Union([Type.String(), Type.Null()]),
});
