import type { FieldRule, FieldRules } from '../../engine/fields.ts';
import { errors } from '../../errors.ts';
import type { SecurableKind } from '../core/kind.ts';
import { catalogOperations } from '../core/wire.ts';
import { MOST_TYPE_TEXT } from '../tables/columns.ts';
import { COLUMN_TYPES } from '../tables/types.ts';

const NUMBER: FieldRule = { type: 'integer', least: 0, most: 1_000_000 };
const MOST_PARAMETERS = 1000;
const MOST_SQL = 1_000_000;

const PARAMETER: FieldRules = {
  name: { type: 'string', least: 1, most: 255, required: true },
  type_text: { type: 'string', least: 1, most: MOST_TYPE_TEXT, required: true },
  type_json: { type: 'string', most: MOST_TYPE_TEXT },
  type_name: { type: 'string', words: COLUMN_TYPES, required: true },
  type_precision: NUMBER,
  type_scale: NUMBER,
  type_interval_type: { type: 'string', most: 100 },
  position: { ...NUMBER, required: true },
  parameter_mode: { type: 'string', words: ['IN'] },
  parameter_type: { type: 'string', words: ['PARAM', 'COLUMN'] },
  parameter_default: { type: 'string', most: MOST_TYPE_TEXT },
  comment: { type: 'string', most: 65_536 },
};

const PARAMETERS: FieldRule = {
  type: 'object',
  members: { parameters: { type: 'array', most: MOST_PARAMETERS, items: { type: 'object', members: PARAMETER } } },
};

/** SQL functions as records: the definition is only stored and shown. */
export const FUNCTIONS: SecurableKind = {
  type: 'function',
  above: 'schema',
  idField: 'function_id',
  limits: ['schema-functions'],
  creates: 'CREATE_FUNCTION',
  renames: false,
  fields: {
    input_params: { ...PARAMETERS, required: true },
    data_type: { type: 'string', words: COLUMN_TYPES, required: true },
    full_data_type: { type: 'string', least: 1, most: MOST_TYPE_TEXT, required: true },
    return_params: PARAMETERS,
    routine_body: { type: 'string', words: ['SQL', 'EXTERNAL'], required: true },
    routine_definition: { type: 'string', most: MOST_SQL, required: true },
    routine_dependencies: { type: 'object' },
    parameter_style: { type: 'string', words: ['S'], required: true },
    is_deterministic: { type: 'boolean', required: true },
    sql_data_access: { type: 'string', words: ['CONTAINS_SQL', 'READS_SQL_DATA', 'NO_SQL'], required: true },
    is_null_call: { type: 'boolean', required: true },
    security_type: { type: 'string', words: ['DEFINER'], required: true },
    specific_name: { type: 'string', least: 1, most: 255, required: true },
    external_name: { type: 'string', most: 255 },
    external_language: { type: 'string', most: 100 },
    sql_path: { type: 'string', most: 4096 },
    comment: { type: 'string', most: 65_536 },
    properties: { type: 'string', most: 65_536 },
  },
  changes: [],
  hooks: {
    async check(_tx, _call, { fields }) {
      for (const name of ['input_params', 'return_params'] as const) checkParameters(name, fields[name]);
      if (fields.routine_body === 'EXTERNAL' && fields.external_language === undefined)
        throw errors.INVALID_PARAMETER_VALUE__MissingField({ field: 'function_info.external_language' });
      return undefined;
    },
  },
};

/** Names and positions of parameters must be unique. */
function checkParameters(field: string, params: unknown): void {
  const list = (params as { readonly parameters?: readonly { name: string; position: number }[] } | undefined)
    ?.parameters;
  const names = new Set<string>();
  const positions = new Set<number>();
  for (const { name, position } of list ?? []) {
    if (names.has(name.toLowerCase()) || positions.has(position))
      throw errors.INVALID_PARAMETER_VALUE({
        reason: `The parameters in ${field} must have unique names and positions: '${name}' or position ${position} occurs more than once.`,
      });
    names.add(name.toLowerCase());
    positions.add(position);
  }
}

export const FUNCTION_OPERATIONS = catalogOperations(FUNCTIONS, {
  of: 'Functions',
  operations: 'functions',
  path: '/functions',
  array: 'functions',
  wraps: 'function_info',
});
