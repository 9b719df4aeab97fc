import type { PlatformJar } from '../../jar.ts';
import { type Answer, answerOf } from '../../sql/results/answer.ts';
import { isNested, type SimpleKind, type SqlType, simple, typeText } from '../../warehouses/sql/types.ts';
import { kindsOf } from '../../warehouses/statements/set-result.ts';
import type { CommandResult } from '../collections.ts';
import { error, notSimulated } from './literals.ts';
import type { CommandOutcome, CommandRequest } from './run-command.ts';

/** What a command shows of a table. */
const MOST_ROWS = 1000;

/** Runs a command of SQL: it gives the result that was set for its text, or what it computes without tables. */
export async function runSqlCommand(
  jar: Pick<PlatformJar, 'clock' | 'store'>,
  { context, command, startedAt }: CommandRequest,
): Promise<CommandOutcome> {
  const { workspaceId, createdBy: principal } = context;
  const answer = await answerOf(jar.store, jar, { workspaceId, statement: command, principal });
  return { result: resultOf(answer, command), endsAt: startedAt };
}

function resultOf(answer: Answer | undefined, command: string): CommandResult {
  if (!answer) return notSimulated('sql', command);
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

/** As schemas of tables in JSON name types. */
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
