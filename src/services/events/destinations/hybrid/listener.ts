import { CLOSE, type SocketConnection, type SocketMessage } from '../../../../kernel/http/index.ts';

/** A listener's answer to a request. */
export interface RelayAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** A request on its way to a listener and back. */
export interface Exchange {
  readonly id: string;
  readonly path: string;
  /** Header and body as they are sent over a channel. */
  readonly header: string;
  readonly body: Buffer;
  /** The listener fetches the request over a connection of its own. */
  readonly isInvited: boolean;
  answer(answer: RelayAnswer): void;
  /** The channel ended before the listener answered. */
  lost(reason: string): void;
  whenDone(callback: () => void): void;
}

interface WireResponse {
  readonly requestId?: unknown;
  readonly statusCode?: unknown;
  readonly responseHeaders?: unknown;
  readonly body?: unknown;
}

export interface ListenerOptions {
  readonly path: string;
  readonly id: string;
  readonly socket: SocketConnection;
  readonly connectedAt: number;
  readonly remoteAddress: string;
  /** Origin at which the listener reached the jar: `wss://localhost:7443`. */
  readonly origin: string;
}

/** Control channel of a listener: sends requests, receives answers. */
export class Listener {
  readonly path: string;
  readonly id: string;
  readonly connectedAt: number;
  readonly remoteAddress: string;
  readonly origin: string;
  readonly #socket: SocketConnection;
  readonly #pending = new Map<string, Exchange>();

  constructor({ path, id, socket, connectedAt, remoteAddress, origin }: ListenerOptions) {
    this.path = path;
    this.id = id;
    this.connectedAt = connectedAt;
    this.remoteAddress = remoteAddress;
    this.origin = origin;
    this.#socket = socket;
  }

  /** Sends both parts without awaiting: the body must directly follow the header. */
  send(exchange: Exchange): void {
    this.#pending.set(exchange.id, exchange);
    void this.#socket.send(exchange.header);
    void this.#socket.send(exchange.body);
  }

  /** Asks the listener to fetch the request over a connection of its own. */
  invite(exchange: Exchange, invitation: string): void {
    this.#pending.set(exchange.id, exchange);
    void this.#socket.send(invitation);
  }

  forget(exchange: Exchange): void {
    this.#pending.delete(exchange.id);
  }

  /** Resolves when the connection is over. `renew` gets each new token, and throws if the token is not valid. */
  async serve(renew: (token: string) => void): Promise<void> {
    try {
      await readChannel(this.#socket, this.#pending, renew);
    } finally {
      for (const exchange of this.#pending.values()) exchange.lost('the listener disconnected before it answered');
    }
  }
}

/** Reads answers from a channel: a text message for the header and, if the header announces a body, one binary message. */
export async function readChannel(
  socket: SocketConnection,
  pending: ReadonlyMap<string, Exchange>,
  renew: (token: string) => void,
): Promise<void> {
  let waitsForBody: { exchange: Exchange | undefined; response: WireResponse } | undefined;
  for await (const message of socket.messages()) {
    if (!message.isText) {
      // Official listeners also send an empty binary message after an answer without a body.
      if (waitsForBody?.exchange) settle(waitsForBody.exchange, waitsForBody.response, message.data);
      waitsForBody = undefined;
      continue;
    }
    const said = read(message);
    if (!said) {
      socket.close(CLOSE.policy, 'a message does not follow the relay protocol');
      return;
    }
    if (said.renewToken) {
      try {
        renew(String(said.renewToken.token));
      } catch {
        socket.close(CLOSE.policy, 'the new token is not valid');
        return;
      }
    }
    if (!said.response) continue;
    const exchange = pending.get(String(said.response.requestId));
    if (said.response.body === true) waitsForBody = { exchange, response: said.response };
    else if (exchange) settle(exchange, said.response, Buffer.alloc(0));
  }
}

interface Said {
  readonly response?: WireResponse;
  readonly renewToken?: { readonly token?: unknown };
}

function read({ data }: SocketMessage): Said | undefined {
  try {
    const said: unknown = JSON.parse(data.toString('utf8'));
    return typeof said === 'object' && said !== null ? said : undefined;
  } catch {
    return undefined;
  }
}

function settle(exchange: Exchange, { statusCode, responseHeaders }: WireResponse, body: Buffer): void {
  const status = Number(statusCode);
  if (!Number.isInteger(status) || status < 100 || status > 599) {
    exchange.lost(`the listener answered with '${String(statusCode).slice(0, 20)}', which is not a status`);
    return;
  }
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(responseHeaders ?? {})) headers[name.toLowerCase()] = String(value);
  exchange.answer({ status, headers, body });
}
