import { sha256 } from '../../../../kernel/auth/index.ts';
import type { Tx } from '../../../../kernel/store/index.ts';
import { textOf } from '../../engine/json.ts';
import { objectKey, objects } from '../../engine/objects.ts';
import type { PlatformJar } from '../../jar.ts';
import { queryValues } from '../../sql/query-values.ts';
import { answerOf } from '../../sql/results/answer.ts';
import { QUERIES_NAME } from '../../sql/visualizations.ts';
import type { Job, SqlCondition } from '../job.ts';

export interface ConditionCheck {
  readonly fires: boolean;
  /** The job with the query result stored for the next check. */
  readonly job: Job;
}

/** Decides whether a schedule with `sql_condition` fires now. A query that fails, is in the trash or no longer exists returns no rows. */
export async function checkCondition(
  tx: Tx,
  jar: PlatformJar,
  job: Job,
  condition: SqlCondition,
): Promise<ConditionCheck> {
  const rows = await rowsOf(tx, jar, job, condition.sql_query_id);
  if (condition.trigger_mode !== 'RESULT_VALUE_CHANGES') return { fires: rows.length > 0, job };
  const conditionValue = sha256(JSON.stringify(rows));
  // The first check has nothing to compare with.
  const fires = job.conditionValue !== undefined && job.conditionValue !== conditionValue;
  return { fires, job: { ...job, conditionValue } };
}

async function rowsOf(
  tx: Tx,
  jar: PlatformJar,
  { workspaceId, runAs: principal }: Job,
  queryId: string,
): Promise<readonly unknown[]> {
  const query = (await tx.get(objects, objectKey(workspaceId, QUERIES_NAME, queryId), 'none'))?.value;
  if (!query || query.trashedAt !== undefined) return [];
  const { fields } = query;
  const statement = textOf(fields.query_text) ?? '';
  const parameters = queryValues(fields.parameters, {}, jar.clock.now());
  const result = await answerOf(tx, jar, { workspaceId, queryId, statement, principal, fields, parameters });
  return result && result.error === undefined ? result.rows : [];
}
