import { Readable } from 'node:stream';
import { Type } from 'typebox';
import { type Call, ok, type Route, route } from '../kernel/http/route.ts';

const BATCH = 200;

/** The change feed as server-sent events: from now on, or after the cursor of the last event that a client has seen. */
export const eventsRoute: Route = route({
  method: 'GET',
  path: '/_jar/events',
  operation: 'Jar_Events',
  summary: 'What happens in the jar as server-sent events: from now on, from the start, or after Last-Event-ID',
  query: Type.Object({ from: Type.Optional(Type.Enum(['now', 'start'])) }),
  responses: { 200: 'text/event-stream' },
  async handle(call) {
    const last = call.headers['last-event-id'];
    const begin = call.query.from === 'start' ? undefined : await call.jar.store.newestCursor();
    const from = typeof last === 'string' ? last : begin;
    return ok(Readable.from(follow(call, from), { objectMode: false }), {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    });
  },
});

async function* follow(call: Pick<Call, 'jar' | 'signal'>, from: string | undefined): AsyncGenerator<string> {
  const { jar, signal } = call;
  let cursor = from;
  let wake = (): void => {};
  let missed = false;
  const stop = jar.store.onCommit((news) => {
    if (!news.changes) return;
    missed = true;
    wake();
  });
  signal.addEventListener('abort', () => wake());
  jar.closing.addEventListener('abort', () => wake(), { signal });
  try {
    yield ': following\n\n';
    while (!signal.aborted && !jar.closing.aborted) {
      missed = false;
      const changes = await jar.store.changesAfter(cursor, BATCH);
      for (const { cursor: id, ...change } of changes) {
        yield `id: ${id}\nevent: ${change.kind}\ndata: ${JSON.stringify(change)}\n\n`;
        cursor = id;
      }
      if (changes.length === BATCH || missed) continue;
      await new Promise<void>((resolve) => {
        wake = resolve;
        if (missed || signal.aborted || jar.closing.aborted) resolve();
      });
    }
  } finally {
    stop();
  }
}
