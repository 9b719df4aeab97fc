import { setTimeout as pause } from 'node:timers/promises';
import type { FoundJar } from '../find-jar.ts';
import { NoJar, openEvents, type StreamEvent } from './events.ts';

export interface Followed {
  /** Finds the jar; called again after a disconnect, because the jar may return at another address. */
  find(): FoundJar;
  /** Path of the stream, including filters. */
  readonly path: string;
  /** Number of past entries to start with. */
  readonly last: number | undefined;
  /** Whether to wait for a jar that disconnects. */
  readonly wait: boolean;
  readonly signal: AbortSignal;
  /** Resolves when the output accepts more. */
  show(event: StreamEvent): Promise<void>;
  /** Receives status messages, such as connected or disconnected. */
  note(text: string): void;
}

const RETRY_MS = 500;

/** Follows a stream until the signal aborts. After a disconnect it waits for the jar and resumes the stream after the last event. */
export async function follow(followed: Followed): Promise<void> {
  const { signal, note, show } = followed;
  let jar = followed.find();
  const byFile = jar.file !== undefined;
  let last: string | undefined;
  let events = await openEvents(jar, withLast(followed), undefined, signal);
  note(`listening to ${jar.url}; Ctrl-C ends`);
  for (;;) {
    try {
      for await (const event of events) {
        if (event.event !== 'listening') await show(event);
        last = event.id ?? last;
      }
    } catch (error) {
      if (!signal.aborted && !isLost(error)) throw error;
    }
    if (signal.aborted) return;
    if (!followed.wait) throw new NoJar(`lost the connection to the jar at ${jar.url}`);
    note(`lost the connection to the jar at ${jar.url}; waiting for it`);
    const back = await reconnected(followed, byFile, last);
    if (!back) return;
    ({ jar, events } = back);
    note(`listening to ${jar.url} again`);
  }
}

interface Reconnected {
  readonly jar: FoundJar;
  readonly events: AsyncGenerator<StreamEvent>;
}

async function reconnected(
  followed: Followed,
  byFile: boolean,
  last: string | undefined,
): Promise<Reconnected | undefined> {
  const { signal } = followed;
  for (;;) {
    await pause(RETRY_MS, undefined, { signal }).catch(() => {});
    if (signal.aborted) return undefined;
    const jar = followed.find();
    // A jar that was found by its file is awaited by its file: another jar may use the default address in the meantime.
    if (byFile && jar.file === undefined) continue;
    try {
      return { jar, events: await openEvents(jar, followed.path, last, signal) };
    } catch (error) {
      if (signal.aborted) return undefined;
      if (!(error instanceof NoJar)) throw error;
    }
  }
}

function withLast({ path, last }: Followed): string {
  return last === undefined ? path : `${path}${path.includes('?') ? '&' : '?'}last=${last}`;
}

/** True if the connection ended or broke, which is all that can happen to an accepted connection. */
function isLost(error: unknown): boolean {
  return typeof (error as NodeJS.ErrnoException | null)?.code === 'string' || error instanceof NoJar || isSilent(error);
}

const isSilent = (error: unknown): boolean => error instanceof Error && error.message === 'the connection is silent';
