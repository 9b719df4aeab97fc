import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { nodeHttp } from '../../../kernel/http/index.ts';
import type { Target } from './target.ts';

/** Answers of the jar itself, not of the group. */

export type Refusal = Extract<Target, { readonly reason: string }>;

const GENERATED = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' } as const;

export function refuse(response: ServerResponse, { status, reason }: Refusal): void {
  if (response.headersSent || response.destroyed) return;
  // The rest of the body is not read, so the connection is closed. The status text is explicit, because a failed `writeHead` may have left
  // the group's text behind.
  response.writeHead(status, nodeHttp.STATUS_CODES[status], { ...GENERATED, connection: 'close' }).end(`${reason}\n`);
}

export function refuseUpgrade(socket: Duplex, { status, reason }: Refusal): void {
  const headers = Object.entries({ ...GENERATED, connection: 'close' }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${nodeHttp.STATUS_CODES[status]}\r\n${headers.join('')}\r\n${reason}\n`);
}

export const unanswered = (name: string, port: number, what: string): Refusal => ({
  status: 502,
  reason: `The container group '${name}' does not answer on its port ${port}: ${what}.`,
});
