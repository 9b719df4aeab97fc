/** Limit of a message: some quote names, which may be as long as a statement. */
const LONGEST_TEXT = 2000;

/** An error in a statement, with the messages and codes of the platform's SQL. */
export class SqlProblem extends Error {
  override readonly name = 'SqlProblem';
  readonly sqlState: string;

  constructor(condition: string, sqlState: string, text: string, at?: Place) {
    const place = at ? ` (line ${at.line}, pos ${at.column})` : '';
    super(`[${condition}] ${text.slice(0, LONGEST_TEXT)} SQLSTATE: ${sqlState}${place}`);
    this.sqlState = sqlState;
  }
}

export interface Place {
  /** Counted from 1. */
  readonly line: number;
  /** Counted from 0. */
  readonly column: number;
}

const quoted = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ');

export const problems = {
  empty: () => new SqlProblem('PARSE_EMPTY_STATEMENT', '42617', 'Syntax error, unexpected empty statement.'),
  syntax: (near: string, at: Place) =>
    new SqlProblem('PARSE_SYNTAX_ERROR', '42601', `Syntax error at or near ${near}.`, at),
  noTable: (name: string, at: Place) =>
    new SqlProblem(
      'TABLE_OR_VIEW_NOT_FOUND',
      '42P01',
      `The table or view ${name} cannot be found. Verify the spelling and correctness of the schema and catalog.`,
      at,
    ),
  noColumn: (name: string, at: Place, similar: readonly string[] = []) =>
    new SqlProblem(
      `UNRESOLVED_COLUMN.${similar.length === 0 ? 'WITHOUT' : 'WITH'}_SUGGESTION`,
      '42703',
      `A column, variable, or function parameter with name ${name} cannot be resolved.${similar.length === 0 ? '' : ` Did you mean one of the following? [${similar.join(', ')}].`}`,
      at,
    ),
  ambiguous: (name: string, at: Place) =>
    new SqlProblem('AMBIGUOUS_REFERENCE', '42704', `Reference ${name} is ambiguous.`, at),
  columnCount: (operation: string, first: number, second: number) =>
    new SqlProblem(
      'NUM_COLUMNS_MISMATCH',
      '42826',
      `${operation.toUpperCase()} can only be performed on inputs with the same number of columns, but the first input has ${first} columns and the second input has ${second} columns.`,
    ),
  manyRows: () =>
    new SqlProblem(
      'SCALAR_SUBQUERY_TOO_MANY_ROWS',
      '21000',
      'More than one row returned by a subquery used as an expression.',
    ),
  manyColumns: (count: number) =>
    new SqlProblem(
      'INVALID_SUBQUERY_EXPRESSION.SCALAR_SUBQUERY_RETURN_MORE_THAN_ONE_OUTPUT_COLUMN',
      '42823',
      `A subquery used as an expression must return only one column, but this one returns ${count}.`,
    ),
  noUsing: (name: string, side: string) =>
    new SqlProblem(
      'UNRESOLVED_USING_COLUMN_FOR_JOIN',
      '42703',
      `USING column \`${name}\` cannot be resolved on the ${side} side of the join.`,
    ),
  noRoutine: (name: string, at: Place) =>
    new SqlProblem('UNRESOLVED_ROUTINE', '42883', `Cannot resolve routine \`${name}\` on search path.`, at),
  arguments: (name: string, wanted: string, given: number, at: Place) =>
    new SqlProblem(
      'WRONG_NUM_ARGS.WITHOUT_SUGGESTION',
      '42605',
      `The \`${name}\` requires ${wanted} parameters but the actual number is ${given}.`,
      at,
    ),
  mismatch: (text: string) => new SqlProblem('DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE', '42K09', text),
  unordered: (what: string, type: string) =>
    new SqlProblem(
      'DATATYPE_MISMATCH.INVALID_ORDERING_TYPE',
      '42K09',
      `The \`${what}\` does not support ordering on type "${type}".`,
    ),
  nullKey: () => new SqlProblem('NULL_MAP_KEY', '2200E', 'Cannot use null as map key.'),
  sameKey: (key: string) =>
    new SqlProblem('DUPLICATED_MAP_KEY', '23505', `Duplicate map key ${key.slice(0, 200)} was found.`),
  badJson: (text: string) =>
    new SqlProblem(
      'MALFORMED_RECORD_IN_PARSING.WITHOUT_SUGGESTION',
      '22023',
      `Malformed records are detected in record parsing: ${text.slice(0, 200)}.`,
    ),
  manyParts: (name: string, most: number, at: Place) =>
    new SqlProblem(
      'IDENTIFIER_TOO_MANY_NAME_PARTS',
      '42601',
      `${name} is not a valid identifier as it has more than ${most} name parts.`,
      at,
    ),
  insufficient: (reason: string) =>
    new SqlProblem('INSUFFICIENT_PERMISSIONS', '42501', `Insufficient privileges: ${reason}`),
  notTable: (name: string, operation: string) =>
    new SqlProblem(
      'EXPECT_TABLE_NOT_VIEW.NO_ALTERNATIVE',
      '42809',
      `'${operation}' expects a table but ${name} is a view.`,
    ),
  notView: (name: string, operation: string) =>
    new SqlProblem(
      'EXPECT_VIEW_NOT_TABLE.NO_ALTERNATIVE',
      '42809',
      `The table ${name} does not support ${operation}: it is not a view.`,
    ),
  arity: (table: string, columns: readonly string[], given: readonly string[]) =>
    new SqlProblem(
      `INSERT_COLUMN_ARITY_MISMATCH.${given.length < columns.length ? 'NOT_ENOUGH' : 'TOO_MANY'}_DATA_COLUMNS`,
      '21S01',
      `Cannot write to ${table}, the reason is ${given.length < columns.length ? 'not enough' : 'too many'} data columns: Table columns: ${quoted(columns)}. Data columns: ${quoted(given)}.`,
    ),
  badColumnName: (name: string) =>
    new SqlProblem(
      'DELTA_INVALID_CHARACTERS_IN_COLUMN_NAMES',
      '42K05',
      `Found invalid character(s) among ' ,;{}()\\n\\t=' in the column name ${name.slice(0, 255)}. Use an alias to rename it.`,
    ),
  viewArity: (name: string, wanted: number, given: number) =>
    new SqlProblem(
      `CREATE_VIEW_COLUMN_ARITY_MISMATCH.${given < wanted ? 'NOT_ENOUGH' : 'TOO_MANY'}_DATA_COLUMNS`,
      '21S01',
      `Cannot create view ${name}, the reason is ${given < wanted ? 'not enough' : 'too many'} data columns: the view names ${wanted}, its query has ${given}.`,
    ),
  sameField: (name: string, table: string) =>
    new SqlProblem(
      'FIELD_ALREADY_EXISTS',
      '42710',
      `Cannot add column, because \`${name}\` already exists in ${table}.`,
    ),
  dependentColumn: (name: string, by: string) =>
    new SqlProblem(
      'DELTA_CONSTRAINT_DEPENDENT_COLUMN_CHANGE',
      '42K09',
      `Cannot change the column ${name} because it is used by ${by}.`,
    ),
  columnType: (name: string, from: string, to: string) =>
    new SqlProblem(
      'DELTA_UNSUPPORTED_ALTER_TABLE_CHANGE_COL_OP',
      '0AKDC',
      `ALTER TABLE CHANGE COLUMN is not supported for changing column ${name} from ${from} to ${to}.`,
    ),
  sameColumn: (name: string) =>
    new SqlProblem(
      'COLUMN_ALREADY_EXISTS',
      '42711',
      `The column \`${name}\` already exists. Choose another name or rename the existing column.`,
    ),
  notNull: (name: string) =>
    new SqlProblem('DELTA_NOT_NULL_CONSTRAINT_VIOLATED', '23502', `NOT NULL constraint violated for column: ${name}.`),
  violated: (name: string, check: string, values: string) =>
    new SqlProblem(
      'DELTA_VIOLATE_CONSTRAINT_WITH_VALUES',
      '23001',
      `CHECK constraint ${name} (${check}) violated by row with values: ${values}`,
    ),
  violatedBefore: (name: string, table: string, rows: number) =>
    new SqlProblem(
      'DELTA_NEW_CHECK_CONSTRAINT_VIOLATION',
      '23512',
      `${rows} rows in ${table} violate the new CHECK constraint (${name}).`,
    ),
  nullsBefore: (name: string, table: string) =>
    new SqlProblem(
      'DELTA_NEW_NOT_NULL_VIOLATION',
      '23512',
      `Rows in ${table} violate the new NOT NULL constraint on ${name}.`,
    ),
  sameConstraint: (name: string) =>
    new SqlProblem(
      'DELTA_CONSTRAINT_ALREADY_EXISTS',
      '42710',
      `Constraint '${name}' already exists. Delete the old constraint first.`,
    ),
  noConstraint: (name: string, table: string) =>
    new SqlProblem(
      'DELTA_CONSTRAINT_DOES_NOT_EXIST',
      '42704',
      `Cannot drop nonexistent constraint ${name} from table ${table}. To avoid throwing an error, provide the parameter IF EXISTS.`,
    ),
  noProperty: (name: string, table: string) =>
    new SqlProblem(
      'UNSET_NONEXISTENT_PROPERTIES',
      '42K0J',
      `Attempted to unset non-existent properties [${name}] in table ${table}.`,
    ),
  inserted: (from: string, to: string, column: string) =>
    new SqlProblem(
      'CAST_OVERFLOW_IN_TABLE_INSERT',
      '22003',
      `Fail to assign a value of "${from}" type to the "${to}" type column or variable \`${column}\` due to an overflow. Use \`try_cast\` on the input value to tolerate overflow and return NULL instead.`,
    ),
  unassignable: (table: string, column: string, from: string, to: string) =>
    new SqlProblem(
      'INCOMPATIBLE_DATA_FOR_TABLE.CANNOT_SAFELY_CAST',
      'KD000',
      `Cannot write incompatible data for the table ${table}: Cannot safely cast \`${column}\` "${from}" to "${to}".`,
    ),
  manyMatches: () =>
    new SqlProblem(
      'DELTA_MULTIPLE_SOURCE_ROW_MATCHING_TARGET_ROW_IN_MERGE',
      '21506',
      'Cannot perform Merge as multiple source rows matched and attempted to modify the same target row in the Delta table in possibly conflicting ways.',
    ),
  concurrent: (table: string) =>
    new SqlProblem(
      'DELTA_CONCURRENT_WRITE',
      '2D521',
      `ConcurrentWriteException: the table ${table} was changed by other writers again and again. Please try the operation again.`,
    ),
  noVersion: (wanted: string, newest: number) =>
    new SqlProblem(
      'DELTA_VERSION_NOT_FOUND',
      '22003',
      `Cannot time travel Delta table to ${wanted}. Available versions: [0, ${newest}].`,
    ),
  badFile: (path: string, reason: string) =>
    new SqlProblem('FAILED_READ_FILE.NO_HINT', 'KD001', `Error while reading file ${path}: ${reason.slice(0, 200)}.`),
  fileGone: (path: string) =>
    new SqlProblem(
      'FAILED_READ_FILE.FILE_NOT_EXIST',
      'KD001',
      `Error while reading file ${path}: it does not exist any more.`,
    ),
  noSetting: (name: string) =>
    new SqlProblem('CONFIG_NOT_AVAILABLE', '42K0I', `Configuration ${name.slice(0, 200)} is not available.`),
  notGrouped: (name: string) =>
    new SqlProblem(
      'MISSING_AGGREGATION',
      '42803',
      `The non-aggregating expression "${name}" is based on columns which are not participating in the GROUP BY clause.`,
    ),
  divideByZero: () =>
    new SqlProblem('DIVIDE_BY_ZERO', '22012', 'Division by zero. Use `try_divide` to tolerate divisor being 0.'),
  overflow: (what: string) => new SqlProblem('ARITHMETIC_OVERFLOW', '22003', `${what} caused overflow.`),
  noTime: () => new SqlProblem('DATETIME_OVERFLOW', '22008', 'Datetime operation overflow: there is no such time.'),
  outOfRange: (value: string, type: string) =>
    new SqlProblem('CAST_OVERFLOW', '22003', `The value ${value} cannot be cast to "${type}" due to an overflow.`),
  badCast: (value: string, from: string, to: string) =>
    new SqlProblem(
      'CAST_INVALID_INPUT',
      '22018',
      `The value '${value.slice(0, 200)}' of the type "${from}" cannot be cast to "${to}" because it is malformed.`,
    ),
  unbound: (name: string, at: Place) =>
    new SqlProblem('UNBOUND_SQL_PARAMETER', '42P02', `Found the unbound parameter: ${name}.`, at),
  badParameter: (name: string, reason: string) =>
    new SqlProblem('INVALID_PARAMETER_VALUE', '22023', `The value of the parameter ${name} is invalid: ${reason}.`),
  unsupported: (what: string) =>
    new SqlProblem('UNSUPPORTED_FEATURE', '0A000', `This jar does not support the statement: ${what}.`),
  tooMuch: (what: string) => new SqlProblem('RESOURCE_EXHAUSTED', '54000', `The statement is too large: ${what}.`),
} as const;
