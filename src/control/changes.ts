import { Type } from 'typebox';
import type { Route } from '../kernel/http/index.ts';
import { entityShape, type Item, listAnswer, listOf, listQuery } from '../kernel/odata/index.ts';
import { route } from '../kernel/service/index.ts';
import { changeRecords, type Filter, type StoredChange } from '../kernel/store/index.ts';

export const ChangeView = Type.Object({
  cursor: Type.String({ description: 'For Last-Event-ID of GET /_jar/events: resumes the feed after this record' }),
  source: Type.String(),
  kind: Type.String(),
  subject: Type.String(),
  outcome: Type.Enum(['Succeeded', 'Failed', 'Canceled']),
  at: Type.String(),
  data: Type.Unknown(),
});

const shape = entityShape({
  name: 'changes',
  collection: changeRecords,
  properties: {
    cursor: { type: 'Edm.String', field: 'key' },
    source: { type: 'Edm.String', field: 'source' },
    kind: { type: 'Edm.String', field: 'kind' },
    subject: { type: 'Edm.String', field: 'subject' },
    outcome: { type: 'Edm.String', field: 'outcome' },
    at: { type: 'Edm.DateTimeOffset', field: 'at' },
  },
  scan: 'refused',
});

export function changeView({ key, value: { number: _, at, data, ...change } }: Item<StoredChange>) {
  return { cursor: key, ...change, at: new Date(at).toISOString(), data: JSON.parse(data) as unknown };
}

/** Matches nothing: record numbers start at 1. */
const NONE: Filter = { op: 'lt', field: 'number', value: 0 };

/** The change records that are still kept. */
export const changesRoute: Route = route({
  method: 'GET',
  path: '/_jar/changes',
  operation: 'Jar_ListChanges',
  summary: 'Change records of the whole jar, oldest first, as long as they are kept',
  query: listQuery(shape),
  responses: { 200: listOf(ChangeView) },
  async handle(call) {
    // Later records are excluded: a transaction that is still running could insert a record before them.
    const newest = await call.jar.store.newestCursor();
    return listAnswer(call, {
      shape,
      filter: newest === undefined ? NONE : { op: 'le', field: 'number', value: Number(newest) },
      order: [{ field: 'number' }],
      view: changeView,
    });
  },
});
