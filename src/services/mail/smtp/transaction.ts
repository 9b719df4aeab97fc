import { shortId } from '../../../kernel/ids/index.ts';
import { parsePathCommand } from './commands.ts';
import type { SmtpLimits } from './limits.ts';
import { readMessage } from './read-message.ts';
import { type Reply, reply } from './reply.ts';
import type { Acceptance, ReceivedMail, SmtpServerOptions, Verdict } from './types.ts';
import type { Wire } from './wire.ts';

const TRANSACTION_ID_LENGTH = 16;

const NEED_MAIL = reply(503, '5.5.1', 'Send MAIL first');
const NEED_RCPT = reply(503, '5.5.1', 'Send RCPT first; no recipient was accepted');
const NESTED_MAIL = reply(503, '5.5.1', 'A sender has already been given');
const TOO_MANY_RECIPIENTS = reply(452, '4.5.3', 'Too many recipients');
const LOCAL_ERROR = reply(451, '4.3.0', 'A local error, try again later');
export const GO_AHEAD: Reply = { code: 354, text: 'End the message with <CR><LF>.<CR><LF>' };

const OF_RECIPIENT: Readonly<Record<Acceptance, (address: string) => Reply>> = {
  accepted: () => reply(250, '2.1.5', 'OK'),
  'no-mailbox': (address) => reply(550, '5.1.1', `There is no mailbox ${address}`),
  'not-local': (address) => reply(550, '5.7.1', `Relaying denied: ${address} is not in a domain of this server`),
};

export type Peer = Pick<ReceivedMail, 'helo' | 'isExtended' | 'isSecure' | 'remoteAddress'>;

type Options = Pick<SmtpServerOptions, 'accepts' | 'receive' | 'memory' | 'log'> & { readonly limits: SmtpLimits };

/** An SMTP transaction: a sender, recipients, and then the message (RFC 5321, 3.3). */
export class Transaction {
  readonly #options: Options;
  #from: string | undefined;
  #smtpUtf8 = false;
  readonly #to = new Set<string>();

  constructor(options: Options) {
    this.#options = options;
  }

  mail(argument: string): Reply {
    if (this.#from !== undefined) return NESTED_MAIL;
    const parsed = parsePathCommand('FROM', argument);
    if ('refusal' in parsed) return parsed.refusal;
    const { messageBytes } = this.#options.limits;
    if ((parsed.size ?? 0) > messageBytes) {
      return reply(552, '5.3.4', `A message has ${messageBytes} bytes at most`);
    }
    this.#from = parsed.address;
    this.#smtpUtf8 = parsed.smtpUtf8;
    return reply(250, '2.1.0', 'OK');
  }

  async recipient(argument: string): Promise<Reply> {
    if (this.#from === undefined) return NEED_MAIL;
    const parsed = parsePathCommand('TO', argument, this.#smtpUtf8);
    if ('refusal' in parsed) return parsed.refusal;
    const { accepts, limits, log } = this.#options;
    if (this.#to.size >= limits.recipients && !this.#to.has(parsed.address)) return TOO_MANY_RECIPIENTS;
    let acceptance: Acceptance;
    try {
      acceptance = await accepts(parsed.address);
    } catch (error) {
      log.error({ err: error }, 'a recipient could not be looked up');
      return LOCAL_ERROR;
    }
    if (acceptance === 'accepted') this.#to.add(parsed.address);
    return OF_RECIPIENT[acceptance](parsed.address);
  }

  /** The reply if DATA is not allowed yet. */
  get missing(): Reply | undefined {
    if (this.#from === undefined) return NEED_MAIL;
    return this.#to.size === 0 ? NEED_RCPT : undefined;
  }

  /** Reads the message and passes it to `receive`; undefined if the client disconnects before its end. */
  async data(wire: Wire, peer: Peer): Promise<Reply | undefined> {
    const { limits, memory, receive, log } = this.#options;
    const message = await readMessage(wire, limits, memory);
    if (message === undefined) return undefined;
    if (message.refusal) return message.refusal;
    const id = shortId(TRANSACTION_ID_LENGTH);
    try {
      const { raw } = message;
      const verdict = await receive({
        ...peer,
        id,
        from: this.#from ?? '',
        to: [...this.#to],
        raw,
        smtpUtf8: this.#smtpUtf8,
      });
      return replyTo(verdict, id);
    } catch (error) {
      log.error({ err: error, transaction: id }, 'a message could not be stored');
      return LOCAL_ERROR;
    } finally {
      message.release();
    }
  }
}

function replyTo(verdict: Verdict, id: string): Reply {
  switch (verdict.is) {
    case 'stored':
      return reply(250, '2.0.0', `Stored as ${id}`);
    case 'refused':
      return reply(550, '5.7.1', verdict.reason);
    case 'later':
      return reply(451, '4.3.0', verdict.reason);
  }
}
