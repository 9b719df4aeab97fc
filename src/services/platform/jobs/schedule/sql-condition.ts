import { simulate } from '../../../../kernel/engines/index.ts';
import type { Tx } from '../../../../kernel/store/index.ts';
import { textOf } from '../../engine/json.ts';
import { objectKey, objects } from '../../engine/objects.ts';
import type { PlatformJar } from '../../jar.ts';
import { QUERIES_NAME } from '../../sql/visualizations.ts';
import type { Job, SqlCondition } from '../collections.ts';
import { directivesIn } from '../running/program.ts';

/** Enough to tell whether a result has changed. */
const MOST_CHARACTERS = 10_000;

export interface Looked {
  readonly fires: boolean;
  /** The job with what the query gave, for the next look. */
  readonly job: Job;
}

/**
 * Whether a schedule with `sql_condition` fires now. There are no tables to ask: what the lines `-- cloudjar:` of the query write is its result, a row
 * a line. A query without such lines returns a row that never changes; one that is gone, in the trash or fails returns none.
 */
export async function lookAtCondition(tx: Tx, jar: PlatformJar, job: Job, condition: SqlCondition): Promise<Looked> {
  const key = objectKey(job.workspaceId, QUERIES_NAME, condition.sql_query_id);
  const query = (await tx.get(objects, key, 'none'))?.value;
  const text = query && query.trashedAt === undefined ? (textOf(query.fields.query_text) ?? '') : undefined;
  const value = text === undefined ? '' : resultOf(text, jar.clock.now());
  const looked = { ...job, conditionValue: value };
  if (condition.trigger_mode !== 'RESULT_VALUE_CHANGES') return { fires: value !== '', job };
  return { fires: job.conditionValue !== undefined && job.conditionValue !== value, job: looked };
}

function resultOf(text: string, startedAt: number): string {
  const script = directivesIn(text);
  if (script === '') return '1';
  const run = simulate({
    run: 1,
    command: ['sh', '-c', script],
    environment: {},
    hostname: 'warehouse',
    startedAt,
    interactive: true,
  });
  if (run.end?.exitCode !== 0) return '';
  const lines = run.output(MOST_CHARACTERS).map((each) => each.text);
  return lines.join('').trim();
}
