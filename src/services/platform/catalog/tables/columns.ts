import { type FieldRule, type FieldRules, readFields } from '../../engine/fields.ts';
import { errors } from '../../errors.ts';
import { COLUMN_TYPES, type ColumnType, completeType, deltaType } from './types.ts';

/** A column, as it is on the wire. */
export interface Column {
  readonly name: string;
  readonly type_text: string;
  readonly type_name: ColumnType;
  /** The field of the table's schema, as JSON text. */
  readonly type_json: string;
  readonly type_precision: number;
  readonly type_scale: number;
  readonly type_interval_type?: string;
  /** From 0. */
  readonly position: number;
  readonly nullable: boolean;
  readonly comment?: string;
  /** Its position among the partition columns. */
  readonly partition_index?: number;
  readonly mask?: ColumnMask;
}

export interface ColumnMask {
  readonly function_name: string;
  readonly using_column_names?: readonly string[];
}

const MOST_NAME = 255;
const MOST_COMMENT = 65_536;
/** Maximum length of a type's text; nested types may be long. */
export const MOST_TYPE_TEXT = 65_536;

const NAME: FieldRule = { type: 'string', least: 1, most: MOST_NAME };
const NUMBER: FieldRule = { type: 'integer', least: 0, most: 1_000_000 };

const RULES: FieldRules = {
  name: { ...NAME, required: true },
  type_text: { type: 'string', most: MOST_TYPE_TEXT },
  type_name: { type: 'string', words: COLUMN_TYPES, required: true },
  type_json: { type: 'string', most: MOST_TYPE_TEXT },
  type_precision: NUMBER,
  type_scale: NUMBER,
  type_interval_type: { type: 'string', most: 100 },
  position: NUMBER,
  nullable: { type: 'boolean' },
  comment: { type: 'string', most: MOST_COMMENT },
  partition_index: NUMBER,
  mask: {
    type: 'object',
    members: {
      function_name: { type: 'string', least: 1, most: 1000, required: true },
      using_column_names: { type: 'array', most: 100, items: NAME },
    },
  },
};

type Drafted = Partial<Column> & Pick<Column, 'name' | 'type_name'>;

/** The columns in a body, completed and ordered by position. */
export function readColumns(sent: unknown): readonly Column[] {
  if (sent === undefined || sent === null) return [];
  if (!Array.isArray(sent))
    throw errors.MALFORMED_REQUEST({ reason: "Could not parse request object: the field 'columns' must be an array." });
  return orderColumns(sent.map((each, index) => readColumn(each, index)));
}

function readColumn(sent: unknown, index: number): Column {
  const at = `columns[${index}]`;
  const said = readFields(RULES, sent, `${at}.`);
  for (const field of ['name', 'type_name'])
    if (said[field] === undefined) throw errors.INVALID_PARAMETER_VALUE__MissingField({ field: `${at}.${field}` });
  // The field rules have validated every member.
  return completeColumn(said as Drafted & typeof said, index);
}

/** Completes a column; its index in the list is its position unless it has one. */
export function completeColumn(said: Drafted, index: number): Column {
  const type = completeType(`the column '${said.name.slice(0, 100)}'`, said);
  const nullable = said.nullable ?? true;
  const { name, type_name, comment, position = index } = said;
  if (said.type_json !== undefined) checkJson(said.type_json, name);
  return {
    ...said,
    ...type,
    name,
    type_name,
    position,
    nullable,
    type_json:
      said.type_json ??
      JSON.stringify({
        name,
        type: deltaType(type_name, type.type_text),
        nullable,
        metadata: comment === undefined ? {} : { comment },
      }),
  };
}

function checkJson(text: string, name: string): void {
  try {
    JSON.parse(text);
  } catch {
    throw errors.INVALID_PARAMETER_VALUE({
      reason: `The type_json of the column '${name.slice(0, 100)}' is not valid JSON.`,
    });
  }
}

/** Validates the columns as a whole: unique names and positions, partition indexes without gaps. */
export function orderColumns(columns: readonly Column[]): readonly Column[] {
  const names = new Set<string>();
  const positions = new Set<number>();
  const partitions = new Set<number>();
  for (const { name, position, partition_index: partition, mask } of columns) {
    if (names.has(name.toLowerCase())) throw invalid(`The column name '${name}' is not unique.`);
    names.add(name.toLowerCase());
    if (positions.has(position) || position >= columns.length)
      throw invalid(`The positions of the columns must be 0 to ${columns.length - 1}, each of them once.`);
    positions.add(position);
    if (partition !== undefined && (partitions.has(partition) || partition >= columns.length))
      throw invalid('The partition indexes of the columns must be 0, 1 and so on, each of them once.');
    if (partition !== undefined) partitions.add(partition);
    if (mask && partition !== undefined) throw invalid(`The partition column '${name}' cannot have a mask.`);
  }
  if ([...partitions].some((index) => index >= partitions.size))
    throw invalid('The partition indexes of the columns must be 0, 1 and so on, each of them once.');
  for (const { mask } of columns)
    for (const used of mask?.using_column_names ?? [])
      if (!names.has(used.toLowerCase())) throw invalid(`A mask uses the column '${used}', which the table lacks.`);
  return [...columns].sort((one, other) => one.position - other.position);
}

const invalid = (reason: string) => errors.INVALID_PARAMETER_VALUE({ reason });
