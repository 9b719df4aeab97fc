import type { IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { originForm } from '../../../kernel/http/index.ts';
import { refuseUpgrade, unanswered } from './refusal.ts';
import type { Reachable } from './target.ts';

/** An upgrade request with its connection. */
export interface Upgrade {
  readonly request: IncomingMessage;
  readonly client: Duplex;
  /** Bytes that followed the request's head. */
  readonly head: Buffer;
  readonly closing: AbortSignal;
}

/** Tunnels WebSockets and other upgraded connections: bytes in both directions, either of which may end first. */
export function tunnel({ ip, port, group }: Reachable, { request, client, head, closing }: Upgrade): void {
  const server: Socket = connect({ host: ip, port, allowHalfOpen: true });
  let isAnswered = false;
  const fail = (what: string): void => {
    client.unpipe(server);
    if (isAnswered) client.destroy();
    else refuseUpgrade(client.resume(), unanswered(group.name, port, what));
    server.destroy();
  };
  server.once('connect', () => {
    server.write(headOf(request));
    if (head.length > 0) server.write(head);
    client.pipe(server);
  });
  // Fires with the first bytes, or with the end if the group sends none.
  server.once('readable', () => {
    if (server.bytesRead === 0) {
      fail('it closed the connection');
      return;
    }
    isAnswered = true;
    server.pipe(client);
  });
  server.on('error', (error) => fail(error.message));
  const abort = (): void => void client.destroy();
  closing.addEventListener('abort', abort);
  client.once('close', () => {
    closing.removeEventListener('abort', abort);
    server.destroy();
  });
  if (client.destroyed) server.destroy();
}

/** The unchanged head of an upgrade request; it keeps the hop-by-hop headers, which an upgrade needs. */
function headOf({ method, url, httpVersion, rawHeaders }: IncomingMessage): string {
  const lines = [`${method} ${originForm(url ?? '/')} HTTP/${httpVersion}`];
  for (let i = 0; i < rawHeaders.length; i += 2) lines.push(`${rawHeaders[i]}: ${rawHeaders[i + 1]}`);
  return `${lines.join('\r\n')}\r\n\r\n`;
}
