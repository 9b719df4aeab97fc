import type { Reader } from '../../../kernel/store/index.ts';
import { type Json, type JsonMembers, omitAbsent } from '../../../kernel/values/index.ts';
import { listOf, membersOf, textOf, textsOf } from '../engine/json.ts';
import type { PlatformObject } from '../engine/objects.ts';
import type { PlatformJar } from '../jar.ts';
import { type Answer, answerOf, narrowMeter } from '../sql/results/answer.ts';
import { tableOf } from '../sql/results/table.ts';

/** A dataset of a dashboard, with the result of its query. */
export interface Dataset {
  readonly name: string;
  readonly result: Answer | undefined;
}

/** Maximum datasets in a message. */
const MOST_DATASETS = 100;

/** The current results of a dashboard's datasets. */
export async function datasetsOf(
  reader: Reader,
  jar: Pick<PlatformJar, 'clock'>,
  { scope: workspaceId, createdBy, owner: principal = createdBy }: PlatformObject,
  serialized: string,
): Promise<readonly Dataset[]> {
  const found: Dataset[] = [];
  const meter = narrowMeter();
  for (const each of listOf(contentOf(serialized).datasets).slice(0, MOST_DATASETS)) {
    const { name, displayName, query, queryLines } = membersOf(each);
    const statement = textOf(query) ?? textsOf(queryLines).join('');
    const result = await answerOf(reader, jar, { workspaceId, statement, principal, meter });
    found.push({ name: textOf(displayName) ?? textOf(name) ?? '', result });
  }
  return found;
}

/** Validated when the dashboard was written; older content is never refused. */
function contentOf(serialized: string): JsonMembers {
  if (serialized.trim() === '') return {};
  const content: Json = JSON.parse(serialized);
  return membersOf(content);
}

export const datasetText = ({ name, result }: Dataset): string => {
  if (!result) return `${name}: no result\n`;
  return result.error === undefined ? `${name}\n${tableOf(result)}` : `${name}: ${result.error}\n`;
};

export const datasetView = ({ name, result }: Dataset): JsonMembers =>
  omitAbsent({ name, columns: result?.columns, row_count: result?.rows.length ?? 0, error: result?.error });
