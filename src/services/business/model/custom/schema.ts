import { Type } from 'typebox';

const Optional = Type.Optional;
const Name = Type.String({ minLength: 1, maxLength: 100 });
const Scalar = Type.Union([Type.String(), Type.Number(), Type.Boolean()]);

const closed = { additionalProperties: false };

const PlainTypeName = Type.Enum(['guid', 'string', 'boolean', 'decimal', 'int32', 'int64', 'date', 'dateTime']);

const FieldSchema = Type.Union([
  /** `"decimal"` is short for `{ "type": "decimal" }`. */
  PlainTypeName,
  Type.Object(
    {
      type: Optional(PlainTypeName),
      /** In the place of a type: the members of an enumeration. */
      members: Optional(Type.Array(Name, { minItems: 1, maxItems: 100 })),
      maxLength: Optional(Type.Integer({ minimum: 1, maximum: 2048 })),
      /** Kept in upper case, without blanks at its ends. */
      code: Optional(Type.Boolean()),
      readOnly: Optional(Type.Boolean()),
      initial: Optional(Scalar),
      caption: Optional(Name),
    },
    closed,
  ),
]);

const TableSchema = Type.Object(
  {
    /** That of the entity unless given. Other entities may have it as their `sourceTable`. */
    name: Optional(Name),
    number: Type.Integer({ minimum: 1, maximum: 2_147_483_647 }),
    temporary: Optional(Type.Boolean()),
    fields: Type.Record(Type.String(), FieldSchema, { maxProperties: 500 }),
    /** The field by which people know a record: no two of a company have the same. */
    key: Optional(Name),
    /** Lines: they go with the record that they are part of, and a change to one is a change to it. */
    partOf: Optional(Type.Object({ table: Name, by: Name }, closed)),
  },
  closed,
);

const NavigationSchema = Type.Object(
  {
    name: Name,
    /** A set of the same API. */
    set: Name,
    many: Optional(Type.Boolean()),
    /** Fields of the other table, and the own fields that they equal. */
    on: Type.Record(Type.String(), Type.Union([Name, Type.Object({ constant: Scalar }, closed)]), { minProperties: 1 }),
  },
  closed,
);

const EntitySchema = Type.Object(
  {
    entityName: Name,
    entitySetName: Name,
    caption: Optional(Name),
    /** A table that exists: one of the application's, or another entity's own. */
    sourceTable: Optional(Name),
    /** In the place of a source table: one of its own. */
    table: Optional(TableSchema),
    /** What is shown, in order; all fields under their own names unless given. */
    properties: Optional(Type.Array(Type.Union([Name, Type.Object({ name: Name, field: Name }, closed)]))),
    /** `["id"]` unless given. */
    keyFields: Optional(Type.Array(Name, { maxItems: 20 })),
    /** Declared as a query: it is read, and nothing more. */
    query: Optional(Type.Boolean()),
    verbs: Optional(Type.Array(Type.Enum(['GET', 'POST', 'PATCH', 'DELETE']))),
    navigations: Optional(Type.Array(NavigationSchema)),
  },
  closed,
);

/** `services.business.customApis` in cloudjar.config.json. */
export const CustomApisSchema = Type.Array(
  Type.Object(
    {
      publisher: Name,
      group: Name,
      version: Name,
      entities: Type.Array(EntitySchema, { minItems: 1 }),
    },
    closed,
  ),
);
