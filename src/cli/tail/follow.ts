import { setTimeout as pause } from 'node:timers/promises';
import type { FoundJar } from '../find-jar.ts';
import { NoJar, openEvents, type StreamEvent } from './events.ts';

export interface Followed {
  /** Looks for the jar; again after it went away, since it may come back at another address. */
  find(): FoundJar;
  /** Of the stream, filters included. */
  readonly path: string;
  /** With how many of those before the stream begins. */
  readonly last: number | undefined;
  /** Whether a jar that goes away is waited for. */
  readonly wait: boolean;
  readonly signal: AbortSignal;
  /** Resolves when there is room for more. */
  show(event: StreamEvent): Promise<void>;
  /** Told of what is no request: that it listens, that the jar went away. */
  note(text: string): void;
}

const RETRY_MS = 500;

/** Follows a stream until it is told to stop. A jar that goes away is waited for, and its stream resumed where it stopped. */
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
    if (!followed.wait) throw new NoJar(`the jar at ${jar.url} went away`);
    note(`the jar at ${jar.url} went away; waiting for it`);
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
    // Its file is gone until it is back; at the standard address there may be another jar meanwhile.
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

/** The connection ended or was cut, which is all that can happen to one that was accepted. */
function isLost(error: unknown): boolean {
  return typeof (error as NodeJS.ErrnoException | null)?.code === 'string' || error instanceof NoJar || isSilent(error);
}

const isSilent = (error: unknown): boolean => error instanceof Error && error.message === 'the connection is silent';
