import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Server as NetServer } from 'node:net';

export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Receiver {
  readonly url: string;
  readonly received: readonly Received[];
  /** Sends the response; 200 by default. */
  answer: (request: Received, response: ServerResponse, count: number) => void;
  bodies(): string[];
  close(): Promise<void>;
}

/** A real HTTP server that records its requests. */
export async function startReceiver(answer?: Receiver['answer']): Promise<Receiver> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('error', () => {});
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      const one = { method, path: url, headers, body: Buffer.concat(parts).toString('utf8') };
      received.push(one);
      receiver.answer(one, response, received.length);
    });
  });
  const port = await listening(server);
  const receiver: Receiver = {
    url: `http://127.0.0.1:${port}`,
    received,
    answer: answer ?? ((_, response) => response.end()),
    bodies: () => received.map((one) => one.body),
    close: () => closed(server),
  };
  return receiver;
}

export const answering =
  (...statuses: number[]): Receiver['answer'] =>
  (_, response, count) => {
    response.statusCode = statuses[Math.min(count, statuses.length) - 1] ?? 200;
    response.end();
  };

export function listening(server: NetServer): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
