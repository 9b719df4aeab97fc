import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { after, later } from '../../../kernel/time/index.ts';
import { type Command, isHttp, parseCommand } from './commands.ts';
import type { SmtpLimits } from './limits.ts';
import { Goodbye, type Reply, rendered, reply } from './reply.ts';
import { startTls } from './starttls.ts';
import { GO_AHEAD, Transaction } from './transaction.ts';
import type { SmtpServerOptions } from './types.ts';
import { Wire } from './wire.ts';

export type SessionOptions = Omit<SmtpServerOptions, 'host' | 'port' | 'limits'> & { readonly limits: SmtpLimits };

/** Time for a client to read the last reply and to close its side. */
const LINGER_MS = 2000;
const OK = reply(250, '2.0.0', 'OK');
const BYE = reply(221, '2.0.0', 'Bye');
const HELP = reply(214, '2.0.0', 'EHLO HELO STARTTLS MAIL RCPT DATA RSET NOOP VRFY HELP QUIT');
const CANNOT_VERIFY = reply(252, '2.5.2', 'Send mail to it to find out');
const UNKNOWN = reply(500, '5.5.2', 'Unknown command');
const NOT_OFFERED = reply(502, '5.5.1', 'This command is not supported');
const NEED_HELLO = reply(503, '5.5.1', 'Send EHLO or HELO first');
const NO_ARGUMENT = reply(501, '5.5.4', 'The command has no argument');
const SECURE_ALREADY = reply(503, '5.5.1', 'TLS is active already');
const NO_CERTIFICATE = reply(454, '4.7.0', 'TLS is not available at the moment');
const GO_SECURE = reply(220, '2.0.0', 'Ready to start TLS');
const BAD_NAME = reply(501, '5.5.4', 'Syntax: EHLO or HELO and the name of the client');

/** Reply codes that count as mistakes of the client. */
const MISTAKES = new Set([500, 501, 502, 555]);
/** Known commands that are not implemented; their reply differs from that to unknown commands. */
const NOT_OFFERED_VERBS = new Set(['AUTH', 'BDAT', 'EXPN', 'ETRN', 'TURN', 'ATRN', 'SEND', 'SOML', 'SAML']);
/** The client's name for itself; it appears in replies and headers. */
const CLIENT_NAME = /^[\x21-\x7e]{1,255}$/;

/** The session with one client, from the greeting to its end. */
export class Session {
  readonly #options: SessionOptions;
  readonly #socket: Socket;
  readonly #remoteAddress: string;
  #stream: Duplex;
  #wire: Wire;
  #isUpgrading = false;
  #isSecure = false;
  #isExtended = false;
  #helo: string | undefined;
  #transaction: Transaction;
  #ending: Goodbye | undefined;
  #commands = 0;
  #mistakes = 0;

  constructor(socket: Socket, remoteAddress: string, options: SessionOptions) {
    this.#socket = socket;
    this.#remoteAddress = remoteAddress;
    this.#options = options;
    this.#stream = socket;
    this.#wire = new Wire(socket);
    this.#transaction = new Transaction(options);
  }

  /** Resolves when nothing more is read or written. */
  async run(): Promise<void> {
    try {
      await this.#say({ code: 220, text: `${this.#options.name} ESMTP` });
      while (await this.#step());
    } catch (error) {
      if (error instanceof Goodbye) this.#stream.write(rendered(error.reply));
      else this.#options.log.error({ err: error }, 'an SMTP session failed');
    } finally {
      this.#end();
    }
  }

  /** Ends the session at its next step. A message that is being stored is still answered. */
  interrupt(reason: Goodbye): void {
    this.#ending ??= reason;
    this.#wire.interrupt(this.#ending);
    if (this.#isUpgrading) this.destroy();
  }

  destroy(): void {
    this.#stream.destroy();
    this.#socket.destroy();
  }

  /** Executes one command. Returns false after the last. */
  async #step(): Promise<boolean> {
    const { limits } = this.#options;
    const line = await this.#inTime(this.#wire.readLine(limits.commandLineBytes));
    if (line === undefined) return false;
    if (isHttp(line)) throw new Goodbye(421, '4.7.0', 'This port speaks SMTP, not HTTP');
    if (++this.#commands > limits.commands) throw new Goodbye(421, '4.7.0', 'Too many commands');
    const command = parseCommand(line);
    const answer = command ? await this.#execute(command) : UNKNOWN;
    if (answer === undefined) return false;
    if (MISTAKES.has(answer.code) && ++this.#mistakes >= limits.mistakes) {
      await this.#say(answer);
      throw new Goodbye(421, '4.7.0', 'Too many mistakes');
    }
    await this.#say(answer);
    return answer !== BYE;
  }

  /** Returns undefined if the client has disconnected. */
  async #execute({ verb, argument }: Command): Promise<Reply | undefined> {
    switch (verb) {
      case 'EHLO':
      case 'HELO':
        return this.#hello(verb === 'EHLO', argument);
      case 'MAIL':
        return this.#helo === undefined ? NEED_HELLO : this.#transaction.mail(argument);
      case 'RCPT':
        return this.#transaction.recipient(argument);
      case 'DATA':
        return argument === '' ? this.#data() : NO_ARGUMENT;
      case 'RSET':
        this.#reset();
        return OK;
      case 'STARTTLS':
        return argument === '' ? this.#startTls() : NO_ARGUMENT;
      case 'NOOP':
        return OK;
      case 'QUIT':
        return BYE;
      case 'VRFY':
        return CANNOT_VERIFY;
      case 'HELP':
        return HELP;
      default:
        return NOT_OFFERED_VERBS.has(verb) ? NOT_OFFERED : UNKNOWN;
    }
  }

  #hello(isExtended: boolean, name: string): Reply {
    this.#forbidPipelining();
    if (!CLIENT_NAME.test(name)) return BAD_NAME;
    this.#helo = name;
    this.#isExtended = isExtended;
    this.#reset();
    const { name: own, secureContext, limits } = this.#options;
    const greeting = `${own} greets ${name}`;
    if (!isExtended) return { code: 250, text: greeting };
    const extensions = ['PIPELINING', '8BITMIME', 'SMTPUTF8', 'ENHANCEDSTATUSCODES', `SIZE ${limits.messageBytes}`];
    if (secureContext && !this.#isSecure) extensions.push('STARTTLS');
    return { code: 250, text: [greeting, ...extensions] };
  }

  async #data(): Promise<Reply | undefined> {
    this.#forbidPipelining();
    const { missing } = this.#transaction;
    if (missing) return missing;
    await this.#say(GO_AHEAD);
    const answer = await this.#transaction.data(this.#wire, {
      helo: this.#helo ?? '',
      isExtended: this.#isExtended,
      isSecure: this.#isSecure,
      remoteAddress: this.#remoteAddress,
    });
    this.#reset();
    if (answer?.code === 250) this.#commands = 0;
    return answer;
  }

  /** Earlier plaintext commands may have been injected, so all state from them is discarded (RFC 3207, 4.2). */
  async #startTls(): Promise<Reply | undefined> {
    const { secureContext, limits, log } = this.#options;
    if (this.#isSecure) return SECURE_ALREADY;
    if (!secureContext) return NOT_OFFERED;
    const contextFor = (name: string | undefined) => secureContext.call(this.#options, name);
    const context = await Promise.resolve(undefined)
      .then(contextFor)
      .catch((error: unknown) => log.error({ err: error }, 'there is no certificate for STARTTLS'));
    if (!context) return NO_CERTIFICATE;
    await this.#say(GO_SECURE);
    this.#wire.drop();
    this.#wire.release();
    this.#isUpgrading = true;
    const secure = await startTls(this.#socket, context, contextFor, limits.handshakeMs);
    this.#isUpgrading = false;
    if (!secure) return undefined;
    this.#stream = secure;
    this.#wire = new Wire(secure);
    this.#isSecure = true;
    this.#helo = undefined;
    this.#reset();
    return NOTHING;
  }

  /** Clients must wait for the reply to some commands (RFC 2920, 3.1). A client that does not takes this server for something else. */
  #forbidPipelining(): void {
    if (this.#wire.hasMore)
      throw new Goodbye(554, '5.5.0', 'Synchronisation error: wait for the reply to this command');
  }

  #reset(): void {
    this.#transaction = new Transaction(this.#options);
  }

  async #say(answer: Reply): Promise<void> {
    if (answer !== NOTHING) await this.#inTime(this.#wire.write(rendered(answer)));
  }

  /** Applies the idle timeout to a promise that depends on the client. */
  async #inTime<T>(waiting: Promise<T>): Promise<T> {
    const { idleMs } = this.#options.limits;
    const cancel = after(idleMs, () => this.interrupt(new Goodbye(421, '4.4.2', 'Idle for too long')));
    try {
      return await waiting;
    } finally {
      cancel();
    }
  }

  /** Reads to the end first: closing a connection with unread bytes would reset it, and the client would not get the last reply. */
  #end(): void {
    const stream = this.#stream;
    this.#wire.release();
    if (stream.destroyed) return;
    const cancel = later(LINGER_MS, () => this.destroy());
    stream.once('close', cancel);
    stream.end();
    stream.resume();
  }
}

/** Not sent: after STARTTLS, the client speaks next. */
const NOTHING: Reply = { code: 220, text: '' };
