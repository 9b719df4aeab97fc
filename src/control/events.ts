import { Type } from 'typebox';
import type { Route } from '../kernel/http/index.ts';
import { type Call, eventStream, type Followed, type Jar, route } from '../kernel/service/index.ts';
import { StoreError } from '../kernel/store/index.ts';
import { controlErrors } from './family.ts';

const BATCH = 200;
/** The change feed as server-sent events: from now on, or after the last event that the client has seen. */
export const eventsRoute: Route = route({
  method: 'GET',
  path: '/_jar/events',
  operation: 'Jar_Events',
  summary: 'What happens in the jar as server-sent events: from now on, from the start, or after Last-Event-ID',
  query: Type.Object({ from: Type.Optional(Type.Enum(['now', 'start'])) }),
  produces: 'text/event-stream',
  responses: { 200: 'Server-sent events' },
  async handle(call) {
    const from = await firstCursor(call.jar, call.headers['last-event-id'], call.query.from === 'start');
    return eventStream(call, follow(call, from));
  },
});

async function firstCursor(
  jar: Jar,
  last: string | string[] | undefined,
  fromStart: boolean,
): Promise<string | undefined> {
  const newest = await jar.store.newestCursor();
  if (typeof last !== 'string') return fromStart ? undefined : newest;
  try {
    await jar.store.changesAfter(last, 1);
  } catch (error) {
    if (error instanceof StoreError && error.code === 'BAD_QUERY')
      throw controlErrors.BadCursor({ cursor: last.slice(0, 60) });
    throw error;
  }
  // The cursor belongs to an earlier jar; in this one everything is new.
  return newest === undefined || last > newest ? undefined : last;
}

function follow({ jar }: Pick<Call, 'jar'>, from: string | undefined): Followed {
  let cursor = from;
  return {
    isNews: (news) => news.changes,
    async *look() {
      const changes = await jar.store.changesAfter(cursor, BATCH);
      for (const { cursor: id, ...change } of changes) {
        yield { id, event: change.kind, data: change };
        cursor = id;
      }
      return changes.length === BATCH ? 'again' : 'wait';
    },
  };
}
