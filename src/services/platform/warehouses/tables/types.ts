import { type Column, completeColumn } from '../../catalog/tables/columns.ts';
import type { ColumnType } from '../../catalog/tables/types.ts';
import { parseType } from '../sql/parser.ts';
import type { ColumnDefinition } from '../sql/statement-syntax.ts';
import { decimal, type SimpleKind, type SqlType, simple, typeText } from '../sql/types.ts';

/** Conversion between columns of the catalog and SQL types. */

const KINDS: ReadonlySet<string> = new Set<SimpleKind>([
  'NULL',
  'BOOLEAN',
  'BYTE',
  'SHORT',
  'INT',
  'LONG',
  'FLOAT',
  'DOUBLE',
  'STRING',
  'BINARY',
  'VARIANT',
  'DATE',
  'TIMESTAMP',
  'TIMESTAMP_NTZ',
]);

/** A type that SQL does not have is read as its stored text. */
export function sqlTypeOf({ type_name: name, type_text: text, type_precision, type_scale }: Column): SqlType {
  if (name === 'DECIMAL') return decimal(type_precision, type_scale);
  if (name === 'ARRAY' || name === 'MAP' || name === 'STRUCT') return nestedType(text, name);
  return simple(KINDS.has(name) ? (name as SimpleKind) : 'STRING');
}

function nestedType(text: string, kind: 'ARRAY' | 'MAP' | 'STRUCT'): SqlType {
  try {
    return parseType(text);
  } catch {
    // Columns created by the REST API may have any type text.
    return { kind, text: text.slice(0, 1000).toUpperCase() };
  }
}

/** The notation of `type_text`: `array<int>`. */
export const shownType = (type: SqlType): string => {
  const text = typeText(type);
  // Names of fields keep their case.
  return type.kind === 'STRUCT' ? text.replace(/^STRUCT/, 'struct') : text.toLowerCase();
};

const METADATA_DEFAULT = 'CURRENT_DEFAULT';

/** A column of a created or changed table. */
export function columnOf(definition: ColumnDefinition, position: number, partition?: number): Column {
  const { name, type, nullable, comment, default: text } = definition;
  const type_name: ColumnType = type.kind;
  const made = completeColumn(
    {
      name,
      type_name,
      type_text: shownType(type),
      nullable,
      position,
      ...(type.kind === 'DECIMAL' && { type_precision: type.precision, type_scale: type.scale }),
      ...(comment !== undefined && { comment }),
      ...(partition !== undefined && { partition_index: partition }),
    },
    position,
  );
  return text === undefined ? made : withDefault(made, text);
}

/** Stores the default as Delta does: in the metadata of the field. */
export function withDefault(column: Column, text: string | undefined): Column {
  const { metadata, ...field } = fieldOf(column);
  const { [METADATA_DEFAULT]: _before, ...rest } = metadata;
  const type_json = JSON.stringify({
    ...field,
    metadata: text === undefined ? rest : { ...rest, [METADATA_DEFAULT]: text },
  });
  return { ...column, type_json };
}

interface Field {
  readonly metadata: Readonly<Record<string, unknown>>;
}

function fieldOf({ type_json: json }: Column): Field {
  const field: unknown = JSON.parse(json);
  const members = typeof field === 'object' && field !== null ? { ...field } : {};
  const metadata = 'metadata' in members && typeof members.metadata === 'object' ? { ...members.metadata } : {};
  return { ...members, metadata };
}

/** The default expression of a column. */
export function defaultOf(column: Column): string | undefined {
  const text = fieldOf(column).metadata[METADATA_DEFAULT];
  return typeof text === 'string' ? text : undefined;
}

/** The column with changes, and with its derived fields recomputed. */
export function changedColumn(column: Column, change: Partial<ColumnDefinition>): Column {
  const text = 'default' in change ? change.default : defaultOf(column);
  const definition: ColumnDefinition = {
    name: column.name,
    type: sqlTypeOf(column),
    nullable: column.nullable,
    ...(column.comment !== undefined && { comment: column.comment }),
    ...change,
  };
  const { default: _default, ...rest } = definition;
  const made = columnOf(rest, column.position, column.partition_index);
  return withDefault(column.mask ? { ...made, mask: column.mask } : made, text);
}
