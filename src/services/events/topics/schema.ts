import { type Static, type TSchema, Type } from 'typebox';
import { TagsSchema } from '../../../kernel/arm/tags.ts';

/**
 * What clients send of topics and domains. Types only: which words there are, and what goes together, is said by the rules in
 * `settings.ts`, in errors that name the field.
 */

/** A field that may be left out or be null, which means the same. */
const may = <T extends TSchema>(schema: T): ReturnType<typeof Type.Optional<T>> =>
  Type.Optional({ ...schema, type: [(schema as { type?: string }).type, 'null'] } as unknown as T);

const text = () => may(Type.String());

const Field = may(Type.Object({ sourceField: text() }));
const FieldWithDefault = may(Type.Object({ sourceField: text(), defaultValue: text() }));

const Properties = Type.Object({
  inputSchema: text(),
  inputSchemaMapping: may(
    Type.Object({
      inputSchemaMappingType: text(),
      properties: may(
        Type.Object({
          id: Field,
          topic: Field,
          eventTime: Field,
          eventType: FieldWithDefault,
          subject: FieldWithDefault,
          dataVersion: FieldWithDefault,
        }),
      ),
    }),
  ),
  publicNetworkAccess: text(),
  inboundIpRules: may(Type.Array(Type.Object({ ipMask: text(), action: text() }))),
  disableLocalAuth: may(Type.Boolean()),
  minimumTlsVersionAllowed: text(),
  dataResidencyBoundary: text(),
  autoCreateTopicWithFirstSubscription: may(Type.Boolean()),
  autoDeleteTopicWithLastSubscription: may(Type.Boolean()),
});

const Identity = Type.Object({
  type: text(),
  userAssignedIdentities: may(Type.Record(Type.String(), Type.Union([Type.Object({}), Type.Null()]))),
});

export const BodySchema = Type.Object({
  properties: may(Properties),
  identity: may(Identity),
  sku: may(Type.Object({ name: text() })),
  kind: text(),
  extendedLocation: may(Type.Object({ name: text(), type: text() })),
});

export const PatchSchema = Type.Intersect([
  Type.Object({ tags: Type.Optional(Type.Union([TagsSchema, Type.Null()])) }),
  BodySchema,
]);

export type Body = Static<typeof BodySchema>;
export type PropertiesBody = Static<typeof Properties>;
export type IdentityBody = Static<typeof Identity>;

export const KeysSchema = Type.Object({ key1: Type.String(), key2: Type.String() });
