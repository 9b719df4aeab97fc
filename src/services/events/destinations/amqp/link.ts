import type { Connection, Delivery, EventContext, Message, Sender, Session } from 'rhea';
import type { Reply } from '../../../../kernel/delivery/index.ts';
import { processTime } from '../../../../kernel/time/index.ts';
import { abandoned, failed, succeeded } from '../replies.ts';
import { type Condition, modified, rejected, released, replyOfBreak, replyOfSharedBreak } from './outcomes.ts';

interface Sending {
  readonly message: Message;
  settle(reply: Reply): void;
}

/** Terminus durability: brokers that create a queue with its first sender create a durable one. */
const UNSETTLED_STATE = 2;

/** A sender link to one address of a broker, in a session of its own: some brokers end the whole session when they refuse a link. */
export class Link {
  readonly #session: Session;
  readonly #sender: Sender;
  readonly #ended: () => void;
  readonly #waiting = new Set<Sending>();
  readonly #sent = new Map<Delivery, Sending>();
  #isOver = false;
  lastUsed = processTime();

  constructor(connection: Connection, address: string, isServiceBus: boolean, ended: () => void) {
    this.#ended = ended;
    this.#session = connection.create_session();
    this.#session.on('session_error', ({ session }: EventContext) => this.#refused(replyOfBreak(session?.error)));
    this.#session.on('session_close', ({ session }: EventContext) => this.#refused(replyOfBreak(session?.error)));
    this.#session.open();
    const target = isServiceBus ? { address } : { address, durable: UNSETTLED_STATE };
    const options = { target, treat_modified_as_released: false };
    this.#sender = this.#session.open_sender(options as Parameters<Session['open_sender']>[0] & object);
    this.#sender.on('sender_error', ({ sender }: EventContext) => this.#refused(replyOfBreak(sender?.error)));
    this.#sender.on('sender_close', ({ sender }: EventContext) => this.#refused(replyOfBreak(sender?.error)));
    this.#sender.on('sendable', () => this.#flush());
    this.#sender.on('accepted', ({ delivery }: EventContext) => this.#settle(delivery, succeeded()));
    this.#sender.on('released', ({ delivery }: EventContext) => this.#settle(delivery, released()));
    this.#sender.on('modified', ({ delivery }: EventContext) => this.#settle(delivery, modified()));
    this.#sender.on('rejected', ({ delivery }: EventContext) => {
      const state = delivery?.remote_state as { readonly error?: Condition } | undefined;
      this.#settle(delivery, rejected(state?.error));
    });
  }

  get isIdle(): boolean {
    return this.#waiting.size === 0 && this.#sent.size === 0;
  }

  /** Resolves with the broker's disposition; a message is delivered only when the broker confirms it. */
  send(message: Message, signal: AbortSignal): Promise<Reply> {
    this.lastUsed = processTime();
    const { promise, resolve } = Promise.withResolvers<Reply>();
    const sending: Sending = { message, settle: resolve };
    const abort = (): void => {
      this.#waiting.delete(sending);
      resolve(abandoned());
    };
    if (signal.aborted) return Promise.resolve(abandoned());
    signal.addEventListener('abort', abort, { once: true });
    this.#waiting.add(sending);
    this.#flush();
    return promise.finally(() => signal.removeEventListener('abort', abort));
  }

  close(): void {
    this.#refused(failed('SocketError', 'the link to the broker was closed'));
  }

  /** The connection is gone: every message under way fails with `reply`. */
  end(reply: Reply): void {
    if (this.#isOver) return;
    this.#isOver = true;
    // A message that was not sent yet cannot have caused the break.
    const shared = replyOfSharedBreak(reply, this.#sent.size);
    const unsent = this.#sent.size > 0 ? replyOfSharedBreak(reply, Number.POSITIVE_INFINITY) : reply;
    for (const { settle } of this.#sent.values()) settle(shared);
    for (const { settle } of this.#waiting) settle(unsent);
    this.#waiting.clear();
    this.#sent.clear();
    this.#ended();
  }

  #refused(reply: Reply): void {
    if (this.#isOver) return;
    this.end(reply);
    if (this.#sender.is_open()) this.#sender.close();
    if (this.#session.is_open()) this.#session.close();
  }

  #flush(): void {
    for (const sending of this.#waiting) {
      if (!this.#sender.sendable()) return;
      this.#waiting.delete(sending);
      this.#sent.set(this.#sender.send(sending.message), sending);
    }
  }

  #settle(delivery: Delivery | undefined, reply: Reply): void {
    const sending = delivery && this.#sent.get(delivery);
    if (!sending) return;
    this.#sent.delete(delivery);
    this.lastUsed = processTime();
    sending.settle(reply);
  }
}
