import { Readable } from 'node:stream';
import { Type } from 'typebox';
import { later } from '../kernel/clock/timers.ts';
import { type Call, ok, type Route, route } from '../kernel/http/route.ts';
import type { Jar } from '../kernel/jar-context.ts';
import { StoreError } from '../kernel/store/errors.ts';
import { controlErrors } from './family.ts';

const BATCH = 200;
/** After so long without news a sign of life goes out, and another look at the feed: hints from other nodes can get lost. */
const QUIET_MS = 5_000;

/** The change feed as server-sent events: from now on, or after the cursor of the last event that a client has seen. */
export const eventsRoute: Route = route({
  method: 'GET',
  path: '/_jar/events',
  operation: 'Jar_Events',
  summary: 'What happens in the jar as server-sent events: from now on, from the start, or after Last-Event-ID',
  query: Type.Object({ from: Type.Optional(Type.Enum(['now', 'start'])) }),
  responses: { 200: 'text/event-stream' },
  async handle(call) {
    const from = await firstCursor(call.jar, call.headers['last-event-id'], call.query.from === 'start');
    return ok(Readable.from(follow(call, from), { objectMode: false }), {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    });
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
  // Seen in a jar that is no more; in this one everything is new.
  return newest === undefined || last > newest ? undefined : last;
}

async function* follow(call: Pick<Call, 'jar' | 'signal'>, from: string | undefined): AsyncGenerator<string> {
  const { jar, signal } = call;
  let cursor = from;
  let wake = (): void => {};
  let missed = false;
  let stopWaiting = (): void => {};
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
        stopWaiting = later(QUIET_MS, resolve);
        if (missed || signal.aborted || jar.closing.aborted) resolve();
      });
      stopWaiting();
      if (!missed) yield ': still here\n\n';
    }
  } finally {
    stopWaiting();
    stop();
  }
}
