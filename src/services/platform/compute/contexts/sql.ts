import { nameOf } from '../../access/standing.ts';
import { DEFAULT_SCHEMA } from '../../catalog/core/found-metastore.ts';
import type { PlatformJar } from '../../jar.ts';
import type { Answer } from '../../sql/results/answer.ts';
import type { Cell } from '../../sql/results/collections.ts';
import { resultOf as setResult } from '../../sql/results/find.ts';
import { SqlProblem } from '../../warehouses/sql/problem.ts';
import type { StatementResult } from '../../warehouses/sql/run-statement.ts';
import { isNested, isNumeric, type SimpleKind, type SqlType, simple, typeText } from '../../warehouses/sql/types.ts';
import { kindsOf } from '../../warehouses/statements/set-result.ts';
import { actorFor, defaultCatalog } from '../../warehouses/tables/find.ts';
import { runSql } from '../../warehouses/tables/run.ts';
import type { CommandResult } from '../collections.ts';
import { error, notSimulated } from './literals.ts';
import type { CommandOutcome, CommandRequest } from './run-command.ts';

/** Maximum rows in a command's result. */
const MOST_ROWS = 1000;

/** SQLSTATEs that are ignored, since the jar implements only a part of the platform's SQL. */
const NOT_KNOWN: ReadonlySet<string> = new Set(['0A000', '42601', '42883']);

/** Runs an SQL command as the creator of the context: returns the result configured for its text, otherwise the computed one. */
export async function runSqlCommand(
  jar: PlatformJar,
  { context, command, startedAt }: CommandRequest,
): Promise<CommandOutcome> {
  const { workspaceId, createdBy: principal } = context;
  const set = await setResult(jar.store, workspaceId, { statement: command });
  if (set) return { result: resultOf(set), endsAt: startedAt };
  const actor = await actorFor(jar, workspaceId, principal);
  if (!actor) return { result: error('AnalysisException', 'The user no longer exists.'), endsAt: startedAt };
  const { standing } = actor.facts;
  const session = {
    now: startedAt,
    user: standing ? nameOf(standing.principal) : '',
    catalog: await defaultCatalog(actor),
    schema: DEFAULT_SCHEMA,
    parameters: new Map(),
  };
  try {
    const { result, ...effect } = await runSql(command, actor, session, () => false);
    return { result: resultOf(answerFrom(result)), endsAt: startedAt, effect };
  } catch (problem) {
    if (!(problem instanceof SqlProblem)) throw problem;
    const isKnown = !NOT_KNOWN.has(problem.sqlState);
    return {
      result: isKnown ? error('AnalysisException', problem.message) : notSimulated('sql', command),
      endsAt: startedAt,
    };
  }
}

/** Converts texts to JSON values where JSON can represent them exactly. */
function answerFrom({ columns, rows }: StatementResult): Answer {
  const types = columns.map(({ type }) => type);
  return {
    columns: columns.map(({ name }) => name),
    types,
    rows: rows.map((row) => row.map((cell, index) => jsonCell(cell, types[index]))),
  };
}

function jsonCell(cell: string | null, type: SqlType | undefined): Cell {
  if (cell === null || !type) return cell;
  if (type.kind === 'BOOLEAN') return cell === 'true';
  if (!isNumeric(type)) return cell;
  const number = Number(cell);
  return Number.isFinite(number) && (!Number.isInteger(number) || Number.isSafeInteger(number)) ? number : cell;
}

function resultOf(answer: Answer): CommandResult {
  if (answer.error !== undefined) return error('AnalysisException', answer.error);
  const { columns, rows, types = kindsOf(answer).map(simple) } = answer;
  return {
    resultType: 'table',
    data: rows.slice(0, MOST_ROWS),
    schema: columns.map((name, index) => ({
      name,
      type: JSON.stringify(sparkName(types[index] ?? simple('STRING'))),
      metadata: '{}',
    })),
    truncated: rows.length > MOST_ROWS,
    isJsonSchema: true,
  };
}

/** The type name in JSON schemas of tables. */
const sparkName = (type: SqlType): string =>
  type.kind === 'INT'
    ? 'integer'
    : type.kind === 'DECIMAL' || type.kind === 'INTERVAL' || isNested(type)
      ? typeText(type).toLowerCase()
      : SPARK[type.kind];

const SPARK: Readonly<Record<Exclude<SimpleKind, 'INT'>, string>> = {
  NULL: 'void',
  BOOLEAN: 'boolean',
  BYTE: 'byte',
  SHORT: 'short',
  LONG: 'long',
  FLOAT: 'float',
  DOUBLE: 'double',
  STRING: 'string',
  BINARY: 'binary',
  VARIANT: 'variant',
  DATE: 'date',
  TIMESTAMP: 'timestamp',
  TIMESTAMP_NTZ: 'timestamp_ntz',
};
