import { Readable } from 'node:stream';
import { type Answer, ok } from '../http/route.ts';
import type { CommitNotice } from '../store/types.ts';
import { later } from '../time/timers.ts';
import type { Call } from './routes.ts';

/** After this long without events, a heartbeat is sent and the source is read again: notices from other nodes can be lost. */
const QUIET_MS = 5_000;

interface Looked {
  /** Yields the events since the last call, and returns what to do next. */
  look(): AsyncGenerator<ServerSentEvent, AfterLook>;
}

/** An event source in the store. */
export interface Followed extends Looked {
  /** Whether a commit may have produced events. */
  isNews(news: CommitNotice): boolean;
}

/** An event source in the memory of this process. */
export interface Watched extends Looked {
  /** Calls `notify` whenever there is a new event; returns a function that stops this. */
  watch(notify: () => void): () => void;
}

/** Read again immediately, wait for a notification, or end the stream because nothing more can come. */
export type AfterLook = 'again' | 'wait' | 'end';

export interface ServerSentEvent {
  readonly id: string | number;
  readonly event: string;
  /** A `JsonText` is sent as it is, so that an event for many clients is serialised once. */
  readonly data: unknown;
}

export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Streams server-sent events until the source ends, the client disconnects or the jar closes. */
export function eventStream(call: Pick<Call, 'jar' | 'signal'>, followed: Followed | Watched): Answer {
  return ok(Readable.from(follow(call, followed), { objectMode: false }), {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  });
}

async function* follow(
  { jar, signal }: Pick<Call, 'jar' | 'signal'>,
  followed: Followed | Watched,
): AsyncGenerator<string> {
  let wake = (): void => {};
  let missed = false;
  let stopWaiting = (): void => {};
  const notify = (): void => {
    missed = true;
    wake();
  };
  const stop =
    'watch' in followed
      ? followed.watch(notify)
      : jar.store.onCommit((news) => {
          if (followed.isNews(news)) notify();
        });
  const ends = AbortSignal.any([signal, jar.closing]);
  ends.addEventListener('abort', () => wake(), { once: true });
  try {
    yield ': following\n\n';
    while (!ends.aborted) {
      missed = false;
      const events = followed.look();
      let next = await events.next();
      for (; !next.done; next = await events.next()) {
        const { id, event, data } = next.value;
        const text = data instanceof JsonText ? data.text : JSON.stringify(data);
        yield `id: ${id}\nevent: ${event}\ndata: ${text}\n\n`;
      }
      if (next.value === 'end') return;
      if (next.value === 'again' || missed) continue;
      await new Promise<void>((resolve) => {
        wake = resolve;
        stopWaiting = later(QUIET_MS, resolve);
        if (missed || ends.aborted) resolve();
      });
      stopWaiting();
      if (!missed) yield ': still here\n\n';
    }
  } finally {
    stopWaiting();
    stop();
  }
}
