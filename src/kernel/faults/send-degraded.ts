import type { ServerResponse } from 'node:http';
import { Stream } from 'node:stream';
import type { JarClock } from '../clock/types.ts';
import type { FaultEffect } from './effect.ts';

/** Number of pieces of a slow body. */
const PIECES = 10;

export interface Degradation {
  readonly effect: Pick<FaultEffect, 'slowBodyMs' | 'cutBodyAfter'>;
  readonly clock: JarClock;
  /** Aborted when the client has disconnected or the jar is closing. */
  readonly signal: AbortSignal;
}

/** Sends a body slowly, or only its beginning. The head is already written, with `promisedLength` in it. */
export async function sendDegraded(
  response: ServerResponse,
  body: Buffer | Stream,
  { effect, clock, signal }: Degradation,
): Promise<void> {
  const { slowBodyMs, cutBodyAfter = Number.POSITIVE_INFINITY } = effect;
  let left = cutBodyAfter;
  let written = Promise.resolve();
  response.flushHeaders();
  try {
    for await (const piece of body instanceof Stream
      ? piecesOfStream(body)
      : piecesOf(body, slowBodyMs !== undefined)) {
      if (slowBodyMs !== undefined) await clock.sleep(slowBodyMs, signal);
      if (signal.aborted) return;
      const part = piece.subarray(0, Math.min(left, piece.length));
      left -= part.length;
      // Not awaited, because the next pause must begin before an advance of the clock looks for it.
      if (part.length > 0) written = new Promise((resolve) => void response.write(part, () => resolve()));
      if (left <= 0) break;
    }
    if (effect.cutBodyAfter === undefined) response.end();
  } catch {
    // The client disconnected, the jar is closing or the stream failed; the connection is closed below.
  } finally {
    if (body instanceof Stream && 'destroy' in body && typeof body.destroy === 'function') body.destroy();
    if (!response.writableEnded) {
      // Sends what was written first, unless the client has disconnected.
      await Promise.race([written, aborted(signal)]);
      if (signal.aborted) response.destroy();
      else response.socket?.destroySoon();
    }
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}

/** The `Content-Length` for a body of `length` bytes: more than will be sent if the body is cut off. */
export function promisedLength(length: number, { cutBodyAfter }: Degradation['effect']): number {
  return cutBodyAfter === undefined ? length : Math.max(length, Math.min(length, cutBodyAfter) + 1);
}

function* piecesOf(body: Buffer, slowly: boolean): Generator<Buffer> {
  const size = slowly ? Math.ceil(body.length / PIECES) : body.length;
  for (let at = 0; at < body.length; at += size) yield body.subarray(at, at + size);
}

async function* piecesOfStream(stream: Stream): AsyncGenerator<Buffer> {
  for await (const chunk of stream as Stream & AsyncIterable<string | Uint8Array>)
    yield Buffer.from(chunk as Uint8Array);
}
