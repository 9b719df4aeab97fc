import { Type } from 'typebox';
import { eventStream, type Followed } from '../../../kernel/service/index.ts';
import { StoreError } from '../../../kernel/store/index.ts';
import { isoTime } from '../../../kernel/time/index.ts';
import { isObject } from '../../../kernel/values/index.ts';
import { datasetSubject, SOURCE } from '../changes.ts';
import { datasets } from '../collections.ts';
import { type DatasetsJar, routeCode } from '../jar.ts';
import { controlErrors } from './errors.ts';

const BATCH = 200;

/**
 * Rows of a streaming dataset as they are pushed. The rows are in the change records, so that every node shows rows that another node
 * received.
 */
export const streamRows = routeCode(['dataset'], {
  query: Type.Object({ from: Type.Optional(Type.Enum(['now', 'start'])) }),
  responses: { 200: 'Server-sent events' },
  async handle(call) {
    const { jar, params, headers, query } = call;
    const dataset = (await jar.store.get(datasets, params.dataset.toLowerCase()))?.value;
    if (!dataset) throw controlErrors.DatasetNotFound({ id: params.dataset.slice(0, 100) });
    const { id, mode } = dataset;
    if (mode === 'Push') throw controlErrors.NotStreaming({ id, mode });
    const last = headers['last-event-id'];
    const cursor = typeof last === 'string' ? await checkedCursor(jar, last) : undefined;
    const from = cursor ?? (query.from === 'start' ? undefined : await jar.store.newestCursor());
    return eventStream(call, follow(jar, id, from));
  },
});

async function checkedCursor({ store }: DatasetsJar, cursor: string): Promise<string> {
  try {
    await store.changesAfter(cursor, 1);
    return cursor;
  } catch (error) {
    if (!(error instanceof StoreError) || error.code !== 'BAD_QUERY') throw error;
    throw controlErrors.BadCursor({ cursor: cursor.slice(0, 60) });
  }
}

function follow({ store }: DatasetsJar, dataset: string, from: string | undefined): Followed {
  const prefix = `${datasetSubject(dataset)}/`;
  let cursor = from;
  return {
    isNews: ({ changes }) => changes,
    async *look() {
      const changes = await store.changesAfter(cursor, BATCH);
      for (const { cursor: id, source, kind, subject, at, data } of changes) {
        cursor = id;
        if (source !== SOURCE || kind !== 'rows' || !subject.startsWith(prefix)) continue;
        // A push that was too large to stream has no rows in its record.
        if (isObject(data) && data.rows !== undefined)
          yield { id, event: 'rows', data: { table: data.table, at: isoTime(at), rows: data.rows } };
      }
      if (changes.length === BATCH) return 'again';
      if (await store.get(datasets, dataset)) return 'wait';
      yield { id: cursor ?? '', event: 'deleted', data: { dataset } };
      return 'end';
    },
  };
}
