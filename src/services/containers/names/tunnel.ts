import type { IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { originForm } from '../../../kernel/http/index.ts';
import { refuseUpgrade, unanswered } from './refusal.ts';
import type { Reachable } from './target.ts';

/** An upgrade with the connection that it came by. */
export interface Upgrade {
  readonly request: IncomingMessage;
  readonly client: Duplex;
  /** What came behind the request already. */
  readonly head: Buffer;
  readonly closing: AbortSignal;
}

/** WebSockets and whatever else a client makes of its connection: bytes in both directions. One direction may end before the other. */
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
  // With its first bytes, or with its end where it sends none.
  server.once('readable', () => {
    if (server.bytesRead === 0) {
      fail('it has hung up');
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

/** The head of an upgrade as it came; its headers about the connection are what it is about. */
function headOf({ method, url, httpVersion, rawHeaders }: IncomingMessage): string {
  const lines = [`${method} ${originForm(url ?? '/')} HTTP/${httpVersion}`];
  for (let i = 0; i < rawHeaders.length; i += 2) lines.push(`${rawHeaders[i]}: ${rawHeaders[i + 1]}`);
  return `${lines.join('\r\n')}\r\n\r\n`;
}
