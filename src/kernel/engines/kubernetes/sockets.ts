import type { ClientRequestArgs, IncomingMessage } from 'node:http';
import type { ClientOptions, RawData, WebSocket } from 'ws';
import type { HangDetector } from '../hang-detector.ts';
import { asProblem, problemOf } from './api-errors.ts';
import type { Connection } from './connection.ts';

const PROTOCOLS = ['v5.channel.k8s.io', 'v4.channel.k8s.io'];
const HANDSHAKE_MS = 30_000;
const MOST_ANSWER_BYTES = 64 * 1024;

/** stdin, stdout, stderr and status are the channels that the library handles. */
const STATUS_CHANNEL = 3;

/**
 * WebSockets to processes in containers, for the library. The library's own sockets close this process's output when the server reports a
 * closed channel, and hide why a server rejected the connection.
 */
export class ChannelSocket {
  readonly #config: Connection['config'];
  readonly #hangDetector: HangDetector;

  constructor({ config, requests }: Connection) {
    this.#config = config;
    this.#hangDetector = requests.hangDetector;
  }

  async connect(
    path: string,
    _onText: ((text: string) => boolean) | null,
    onData: ((channel: number, data: Buffer) => boolean) | null,
  ): Promise<WebSocket> {
    this.#hangDetector.check();
    const { default: Client } = await import('ws');
    const url = this.#config.getCurrentCluster()!.server.replace(/^http/, 'ws') + path;
    const options: ClientOptions & ClientRequestArgs = { handshakeTimeout: HANDSHAKE_MS };
    await this.#config.applyToHTTPSOptions(options);
    const socket: WebSocket = new Client(url, PROTOCOLS, options);
    socket.on('message', (data: RawData) => {
      const [channel, content] = split(data);
      if (channel === undefined || channel > STATUS_CHANNEL || !onData) return;
      try {
        if (!onData(channel, content)) socket.close();
      } catch {
        // The status message is malformed.
        socket.close();
      }
    });
    const unwatch = this.#hangDetector.watch({ destroy: () => socket.terminate() });
    try {
      await opened(socket);
    } catch (error) {
      // Its error explains more than that the socket was closed.
      this.#hangDetector.check();
      throw error;
    } finally {
      unwatch();
    }
    return socket;
  }
}

function split(data: RawData): [number | undefined, Buffer] {
  const bytes = Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data as Buffer);
  return [bytes[0], bytes.subarray(1)];
}

function opened(socket: WebSocket): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once('open', resolve);
    // Kept for the life of the socket: an error without a listener would end the process.
    socket.on('error', (error) => reject(asProblem(error, 'opening a stream')));
    socket.once('unexpected-response', (_request, response) => {
      answerOf(response).then((body) => {
        reject(problemOf(response.statusCode ?? 0, body, 'opening a stream'));
        socket.terminate();
      }, reject);
    });
  });
}

async function answerOf(response: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of response) {
    text += chunk;
    if (text.length > MOST_ANSWER_BYTES) break;
  }
  return text;
}
