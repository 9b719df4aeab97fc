import type { IncomingMessage, ServerResponse } from 'node:http';
import { after } from '../time/timers.ts';
import { announcesBody, waitsForContinue } from './receive-body.ts';

/** A rest of this size is read and discarded, so that the connection can be used again. */
const SMALL_BYTES = 64 * 1024;
/** Of a larger one no more than this is taken from the client while it reads the answer. */
const MOST_DISCARDED_BYTES = 1024 * 1024;
/** How long the client has for that. */
const LINGER_MS = 2_000;

/** Whether the answer goes out while so much of the request is still to come that the connection has to end with it. */
export function leavesMuchUnread(request: IncomingMessage): boolean {
  if (request.complete || !announcesBody(request)) return false;
  const { 'content-length': length } = request.headers;
  // A client that was not told to continue may send its body or the next request: only a new connection is unambiguous.
  return length === undefined || Number(length) > SMALL_BYTES || waitsForContinue(request);
}

/**
 * Ends an answer whose last byte has been written, and its connection. Closing a connection that has unread bytes resets it, and the reset
 * can overtake the answer; so the client gets time to read the answer and to close, and some of what it still sends is discarded.
 */
export function endLingering(request: IncomingMessage, response: ServerResponse): void {
  let discarded = 0;
  const onData = (chunk: Buffer): void => {
    discarded += chunk.length;
    if (discarded >= MOST_DISCARDED_BYTES) request.pause();
  };
  const finish = (): void => {
    cancel();
    request.off('data', onData).off('end', finish).off('close', finish);
    response.end();
  };
  const cancel = after(LINGER_MS, finish);
  request.on('data', onData).once('end', finish).once('close', finish);
  request.resume();
}
