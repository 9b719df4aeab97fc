import type { IncomingMessage, ServerResponse } from 'node:http';
import { after } from '../time/timers.ts';
import { announcesBody, waitsForContinue } from './receive-body.ts';

/** An unread rest up to this size is read and discarded, so that the connection can be reused. */
const SMALL_BYTES = 64 * 1024;
/** Limit of discarded bytes of a larger rest, while the client reads the response. */
const MOST_DISCARDED_BYTES = 1024 * 1024;
/** How long the client has to read the response. */
const LINGER_MS = 2_000;

/** Whether so much of the request is unread when the response is sent that the connection must be closed. */
export function leavesMuchUnread(request: IncomingMessage): boolean {
  if (request.complete || !announcesBody(request)) return false;
  const { 'content-length': length } = request.headers;
  // A client that got no `100 Continue` may send its body or its next request, which only a new connection makes unambiguous.
  return length === undefined || Number(length) > SMALL_BYTES || waitsForContinue(request);
}

/**
 * Ends a response whose last byte is written, and closes the connection. Closing a connection with unread bytes resets it, and the reset
 * may overtake the response; so the client gets time to read the response and to close, while some of what it still sends is discarded.
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
