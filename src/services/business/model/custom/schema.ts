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
      /** Instead of a type: the members of an enumeration. */
      members: Optional(Type.Array(Name, { minItems: 1, maxItems: 100 })),
      maxLength: Optional(Type.Integer({ minimum: 1, maximum: 2048 })),
      /** Stored in upper case and trimmed. */
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
    /** Default: the name of the entity. Other entities can use the table as their `sourceTable`. */
    name: Optional(Name),
    number: Type.Integer({ minimum: 1, maximum: 2_147_483_647 }),
    temporary: Optional(Type.Boolean()),
    fields: Type.Record(Type.String(), FieldSchema, { maxProperties: 500 }),
    /** The field that identifies a record for people; unique within a company. */
    key: Optional(Name),
    /** Lines: they are deleted with their parent record, and a change to a line is a change to its parent. */
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
    /** An existing table: one of the application's, or another entity's own. */
    sourceTable: Optional(Name),
    /** Instead of a source table: a table of its own. */
    table: Optional(TableSchema),
    /** The shown properties, in order; default: all fields under their own names. */
    properties: Optional(Type.Array(Type.Union([Name, Type.Object({ name: Name, field: Name }, closed)]))),
    /** Default: `["id"]`. */
    keyFields: Optional(Type.Array(Name, { maxItems: 20 })),
    /** Declared as a query: read-only. */
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
