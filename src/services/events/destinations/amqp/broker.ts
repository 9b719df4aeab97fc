import type { Connection, Container, EventContext, Message } from 'rhea';
import type { Reply } from '../../../../kernel/delivery/index.ts';
import { every, later, processTime } from '../../../../kernel/time/index.ts';
import type { BrokerConnection } from '../connection-strings.ts';
import { Link } from './link.ts';
import { replyOfBreak } from './outcomes.ts';

/** A link is closed when it has been idle for this long; the connection is closed with its last link. */
const IDLE_MS = 60_000;
const CLOSE_GRACE_MS = 1000;

interface Open {
  readonly connection: Connection;
  readonly links: Map<string, Link>;
  /** Time of the broker's last sign of life; 0 before the first. */
  lastHeard: number;
  stopSweeping(): void;
}

/** One connection to a broker: opened with the first message, closed when idle, reopened with the next message after it breaks. */
export class Broker {
  readonly #container: Container;
  readonly #to: BrokerConnection;
  #open: Open | undefined;

  constructor(container: Container, to: BrokerConnection) {
    this.#container = container;
    this.#to = to;
  }

  async send(address: string, message: Message, signal: AbortSignal): Promise<Reply> {
    this.#open ??= this.#connect();
    const open = this.#open;
    let link = open.links.get(address);
    if (!link) {
      const made = new Link(open.connection, address, this.#to.isServiceBus, () => {
        if (open.links.get(address) === made) open.links.delete(address);
      });
      open.links.set(address, made);
      link = made;
    }
    const began = processTime();
    const reply = await link.send(message, signal);
    if (!signal.aborted) open.lastHeard = processTime();
    // If the broker was silent during the whole attempt, the connection is dropped and the next attempt opens a new one.
    else if (open.lastHeard <= began) this.#drop(open, reply);
    return reply;
  }

  /** Messages that are under way get a grace period. */
  close(): void {
    const open = this.#open;
    if (!open) return;
    const end = (): void => this.#close(open);
    if ([...open.links.values()].every((link) => link.isIdle)) end();
    else later(CLOSE_GRACE_MS, end);
  }

  #connect(): Open {
    const { host, port, tls, username, password } = this.#to;
    const connection = this.#container.connect({
      host,
      port,
      hostname: host,
      ...(tls && { transport: 'tls', servername: host }),
      ...(username !== undefined && { username, password }),
      reconnect: false,
      tcp_no_delay: true,
    } as Parameters<Container['connect']>[0] & object);
    const open: Open = {
      connection,
      links: new Map(),
      lastHeard: 0,
      stopSweeping: every(IDLE_MS / 2, () => this.#sweep(open)),
    };
    const broken = ({ error, connection: it }: EventContext): void =>
      this.#drop(open, replyOfBreak(error ?? it?.error));
    connection.on('connection_open', () => {
      open.lastHeard = processTime();
    });
    connection.on('connection_error', broken);
    connection.on('connection_close', broken);
    connection.on('disconnected', broken);
    // The other side does not speak AMQP.
    for (const event of ['protocol_error', 'error'])
      connection.on(event, (error) => this.#drop(open, replyOfBreak(error)));
    return open;
  }

  #sweep(open: Open): void {
    const before = processTime() - IDLE_MS;
    for (const link of open.links.values()) if (link.isIdle && link.lastUsed <= before) link.close();
    if (open.links.size === 0) this.#close(open);
  }

  /** The connection is broken: every message under way fails with `reply`, and the next message opens a new connection. */
  #drop(open: Open, reply: Reply): void {
    if (this.#open === open) this.#open = undefined;
    open.stopSweeping();
    for (const link of [...open.links.values()]) link.end(reply);
    abort(open.connection);
  }

  #close(open: Open): void {
    if (this.#open === open) this.#open = undefined;
    open.stopSweeping();
    for (const link of [...open.links.values()]) link.close();
    open.connection.close();
    later(CLOSE_GRACE_MS, () => abort(open.connection));
  }
}

interface WithSocket {
  readonly socket?: { readonly destroyed: boolean };
  abort_socket(socket: unknown): void;
}

/** Ends the socket and the library's timers, whatever the other side does. */
function abort(connection: Connection): void {
  // Members that the library's type of a connection lacks.
  const whole = connection as unknown as WithSocket;
  if (whole.socket && !whole.socket.destroyed) whole.abort_socket(whole.socket);
}
