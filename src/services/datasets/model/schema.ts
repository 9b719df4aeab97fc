import { type TSchema, Type } from 'typebox';
import type { FieldRule, Shape } from './fields.ts';
import * as shapes from './shapes.ts';

/** Schemas of the request models for the OpenAPI document, generated from the tables that validate requests. */

function schemaOf(shape: Shape, nested: Readonly<Record<string, TSchema>> = {}): TSchema {
  const entries = Object.entries(shape).map(([name, rule]): [string, TSchema] => {
    const schema = nested[name] ?? ruleSchema(rule);
    return [name, rule.required ? schema : Type.Optional(schema)];
  });
  return Type.Object(Object.fromEntries(entries), { additionalProperties: false });
}

function ruleSchema(rule: FieldRule): TSchema {
  switch (rule.kind) {
    case 'flag':
      return Type.Boolean();
    case 'list':
      return Type.Array(Type.Unknown());
    case 'object':
      return Type.Record(Type.String(), Type.Unknown());
    case 'guid':
      return Type.String({ format: 'uuid' });
    case 'word':
      return Type.String({ enum: [...rule.words] });
    case 'text':
      return Type.String({ maxLength: rule.most });
  }
}

const Row = Type.Record(Type.String(), Type.Unknown(), { description: 'Values by column name' });

export const TableBody = schemaOf(shapes.TABLE_SHAPE, {
  columns: Type.Array(schemaOf(shapes.COLUMN_SHAPE)),
  measures: Type.Array(schemaOf(shapes.MEASURE_SHAPE)),
  rows: Type.Array(Row),
  source: Type.Array(schemaOf(shapes.SOURCE_SHAPE)),
});

export const DatasetBody = schemaOf(shapes.DATASET_SHAPE, {
  tables: Type.Array(TableBody),
  datasources: Type.Array(schemaOf(shapes.DATASOURCE_SHAPE, { connectionDetails: schemaOf(shapes.CONNECTION_SHAPE) })),
  relationships: Type.Array(schemaOf(shapes.RELATIONSHIP_SHAPE)),
});

export const RowsBody = Type.Object({ rows: Type.Array(Row) });
