import { expect } from 'vitest';
import { WebSocket } from 'ws';

/** A WebSocket client that records the received messages. */
export class SocketClient {
  readonly socket: WebSocket;
  text = '';
  binary = 0;
  closed: { code: number; reason: string } | undefined;
  /** The HTTP answer of a refused handshake. */
  refused: { status: number; body: string } | undefined;

  constructor(url: string, options: { ca?: string; headers?: Record<string, string> } = {}) {
    this.socket = new WebSocket(url, options);
    this.socket.on('message', (data, isBinary) => {
      this.text += String(data);
      if (isBinary) this.binary++;
    });
    this.socket.on('close', (code, reason) => {
      this.closed = { code, reason: String(reason) };
    });
    this.socket.on('error', () => {});
    this.socket.on('unexpected-response', (request, response) => {
      let body = '';
      response.on('data', (part) => {
        body += part;
      });
      response.on('end', () => {
        this.refused = { status: response.statusCode ?? 0, body };
        request.destroy();
      });
    });
  }

  /** Waits until the connection is open, and sends a message. */
  async say(text: string | Buffer): Promise<this> {
    await until(() => this.socket.readyState !== WebSocket.CONNECTING || this.refused !== undefined);
    if (this.refused === undefined) this.socket.send(text, () => {});
    return this;
  }

  async told(wanted: string | RegExp): Promise<string> {
    await until(() => (typeof wanted === 'string' ? this.text.includes(wanted) : wanted.test(this.text)));
    return this.text;
  }

  async end(): Promise<{ code: number; reason: string }> {
    await until(() => this.closed !== undefined);
    return this.closed as { code: number; reason: string };
  }

  async refusal(): Promise<{ status: number; body: string }> {
    await until(() => this.refused !== undefined);
    return this.refused as { status: number; body: string };
  }
}

export async function until(condition: () => boolean): Promise<void> {
  await expect.poll(condition, { timeout: 120_000, interval: 5 }).toBe(true);
}
