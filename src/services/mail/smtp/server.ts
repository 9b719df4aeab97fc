import { type AddressInfo, createServer, type Socket } from 'node:net';
import { after, later } from '../../../kernel/time/index.ts';
import { DEFAULT_SMTP_LIMITS, type SmtpLimits } from './limits.ts';
import { Goodbye, rendered, reply } from './reply.ts';
import { Session } from './session.ts';
import type { SmtpDoor, SmtpServerOptions } from './types.ts';

const TOO_MANY = rendered(reply(421, '4.7.0', 'Too many connections, try again later'));
const REFUSAL_LINGER_MS = 1000;
/** Above this multiple of the limit, a connection is closed without a reply. */
const HARD_LIMIT = 2;

/**
 * Listens for mail. The protocol is implemented in this folder instead of with the package `smtp-server`: that package accepts a bare LF as
 * the end of a command, cannot create its certificate with the first STARTTLS, waits 100 ms before each greeting and takes another 100 ms
 * to load; it is not faster with messages.
 */
export async function startSmtpServer(options: SmtpServerOptions): Promise<SmtpDoor> {
  const limits: SmtpLimits = { ...DEFAULT_SMTP_LIMITS, ...options.limits };
  const sessions = new Sessions({ ...options, limits });
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
    void sessions.accept(socket).then(bound);
  });
  const bound = ({ connections }: SmtpLimits): void => {
    server.maxConnections = connections * HARD_LIMIT;
  };
  bound(await sessions.limits());
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host: options.host, port: options.port }, () => {
      server.off('error', reject);
      resolve();
    });
  });
  server.on('error', (error) => options.log.error({ err: error }, 'the SMTP server failed'));
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      const { promise: tooLate, resolve } = Promise.withResolvers<void>();
      const cancel = after(limits.closeMs, () => {
        sessions.destroy();
        resolve();
      });
      // A message may still be in the process of being stored when its client has disconnected.
      await Promise.race([sessions.close(), tooLate]);
      await closed;
      cancel();
    },
  };
}

type SessionsOptions = SmtpServerOptions & { readonly limits: SmtpLimits };

/** Active sessions, in total and by client address. */
class Sessions {
  readonly #options: SessionsOptions;
  readonly #active = new Set<Session>();
  readonly #running = new Set<Promise<void>>();
  readonly #refused = new Set<Socket>();
  readonly #byAddress = new Map<string, number>();
  #isClosing = false;

  constructor(options: SessionsOptions) {
    this.#options = options;
  }

  /** The current limits; those of the start if the settings cannot be read. */
  async limits(): Promise<SmtpLimits> {
    const { limits, currentLimits, log } = this.#options;
    try {
      return { ...limits, ...(await currentLimits?.()) };
    } catch (error) {
      log.warn({ err: error }, 'the settings of SMTP could not be read');
      return limits;
    }
  }

  /** Starts or refuses a session. Returns the limits that apply to the connection. */
  async accept(socket: Socket): Promise<SmtpLimits> {
    socket.on('error', (error) => this.#options.log.debug({ err: error }, 'an SMTP connection broke'));
    const address = plainAddress(socket.remoteAddress);
    const limits = await this.limits();
    if (socket.destroyed) return limits;
    const ofAddress = this.#byAddress.get(address) ?? 0;
    if (this.#isClosing || this.#active.size >= limits.connections || ofAddress >= limits.connectionsPerAddress) {
      this.#refuse(socket);
      return limits;
    }
    const session = new Session(socket, address, { ...this.#options, limits });
    this.#active.add(session);
    this.#byAddress.set(address, ofAddress + 1);
    socket.once('close', () => {
      this.#active.delete(session);
      const left = (this.#byAddress.get(address) ?? 1) - 1;
      if (left > 0) this.#byAddress.set(address, left);
      else this.#byAddress.delete(address);
    });
    const running = session.run().finally(() => this.#running.delete(running));
    this.#running.add(running);
    return limits;
  }

  /** Ends each session at its next step; resolves when all have ended. */
  async close(): Promise<void> {
    this.#isClosing = true;
    for (const session of this.#active) session.interrupt(new Goodbye(421, '4.3.2', 'The server is shutting down'));
    for (const socket of this.#refused) socket.destroy();
    await Promise.all(this.#running);
  }

  destroy(): void {
    for (const session of this.#active) session.destroy();
  }

  #refuse(socket: Socket): void {
    this.#refused.add(socket);
    const cancel = later(REFUSAL_LINGER_MS, () => socket.destroy());
    socket.once('close', () => {
      cancel();
      this.#refused.delete(socket);
    });
    socket.end(TOO_MANY);
    socket.resume();
  }
}

/** A server on all addresses gets IPv4 addresses in their IPv6 form. */
const plainAddress = (address: string | undefined): string => (address ?? '').replace(/^::ffff:(?=\d+\.)/i, '');
