import { ApiError } from '../../../../kernel/http/index.ts';
import { problems, SqlProblem } from '../sql/problem.ts';

/** Maps errors of the catalog to the messages and codes of SQL. */
const CONDITIONS: Readonly<Record<string, readonly [condition: string, sqlState: string]>> = {
  TABLE_DOES_NOT_EXIST: ['TABLE_OR_VIEW_NOT_FOUND', '42P01'],
  SCHEMA_DOES_NOT_EXIST: ['SCHEMA_NOT_FOUND', '42704'],
  CATALOG_DOES_NOT_EXIST: ['CATALOG_NOT_FOUND', '42P08'],
  VOLUME_DOES_NOT_EXIST: ['VOLUME_DOES_NOT_EXIST', '42704'],
  FUNCTION_DOES_NOT_EXIST: ['ROUTINE_NOT_FOUND', '42883'],
  PRINCIPAL_DOES_NOT_EXIST: ['PRINCIPAL_DOES_NOT_EXIST', '42704'],
  METASTORE_DOES_NOT_EXIST: ['UC_NOT_ENABLED', '56038'],
  TABLE_ALREADY_EXISTS: ['TABLE_OR_VIEW_ALREADY_EXISTS', '42P07'],
  SCHEMA_ALREADY_EXISTS: ['SCHEMA_ALREADY_EXISTS', '42P06'],
  CATALOG_ALREADY_EXISTS: ['CATALOG_ALREADY_EXISTS', '42710'],
  VOLUME_ALREADY_EXISTS: ['VOLUME_ALREADY_EXISTS', '42000'],
  SCHEMA_NOT_EMPTY: ['SCHEMA_NOT_EMPTY', '2BP01'],
  CATALOG_NOT_EMPTY: ['CATALOG_NOT_EMPTY', '2BP01'],
  INVALID_PARAMETER_VALUE: ['INVALID_PARAMETER_VALUE', '22023'],
  MALFORMED_REQUEST: ['INVALID_PARAMETER_VALUE', '22023'],
  RESOURCE_DOES_NOT_EXIST: ['RESOURCE_DOES_NOT_EXIST', '42704'],
};

/** A table was changed between the read and the write of a statement, which has to be run again. */
export class Conflict extends Error {
  readonly table: string;

  constructor(table: string) {
    super(`the table ${table} was changed meanwhile`);
    this.table = table;
  }
}

/** The SQL error for an error; undefined if the statement did not cause it. */
export function problemOf(error: unknown): SqlProblem | undefined {
  if (error instanceof SqlProblem) return error;
  if (!(error instanceof ApiError)) return undefined;
  if (error.code === 'PERMISSION_DENIED') return problems.insufficient(error.message);
  const [condition, sqlState] = CONDITIONS[error.code] ?? [error.code, error.status === 404 ? '42704' : '54000'];
  const text = error.message.replace('use force=true', 'use CASCADE');
  return new SqlProblem(condition, sqlState, text.endsWith('.') ? text : `${text}.`);
}

/** Returns true if an error says that an object already exists, or does not exist. */
export const isCode = (error: unknown, end: '_ALREADY_EXISTS' | '_DOES_NOT_EXIST'): boolean =>
  error instanceof ApiError && error.code.endsWith(end);
