import { createSecureContext } from 'node:tls';
import { onTestFinished } from 'vitest';
import { MemoryBudget } from '../../../../src/kernel/http/memory-budget.ts';
import { createLogger } from '../../../../src/kernel/telemetry/log.ts';
import { loadAuthority } from '../../../../src/kernel/tls/authority.ts';
import { wantedNames } from '../../../../src/kernel/tls/names.ts';
import { startSmtpServer } from '../../../../src/services/mail/smtp/server.ts';
import type {
  Acceptance,
  ReceivedMail,
  SmtpDoor,
  SmtpServerOptions,
} from '../../../../src/services/mail/smtp/types.ts';
import { RawClient } from '../../../support/raw-http.ts';

export interface TestDoor extends SmtpDoor {
  /** Received mails, in order. */
  readonly mails: ReceivedMail[];
  /** Server names for which the certificate was requested. */
  readonly contexts: (string | undefined)[];
  readonly memory: MemoryBudget;
  /** Certificate of the authority, for clients to trust. */
  readonly ca: string;
  connect(): SmtpTalk;
}

/** A server for the domain `jar.test`, with a mailbox for every name that does not begin with `no`. */
export async function openDoor(options: Partial<SmtpServerOptions> = {}): Promise<TestDoor> {
  const mails: ReceivedMail[] = [];
  const contexts: (string | undefined)[] = [];
  const authority = loadAuthority(undefined, { names: () => wantedNames('127.0.0.1'), wallNow: Date.now });
  const memory = options.memory ?? new MemoryBudget({ bytes: 64 * 1024 * 1024, count: 16, countsAbove: 64 * 1024 });
  const door = await startSmtpServer({
    host: '127.0.0.1',
    port: 0,
    name: 'mx.jar.test',
    log: createLogger({ level: 'silent' }),
    secureContext(servername) {
      contexts.push(servername);
      return createSecureContext(authority.serverCredentials());
    },
    accepts: async (address) => acceptance(address),
    async receive(mail) {
      mails.push(mail);
      return { is: 'stored' };
    },
    ...options,
    memory,
  });
  let isClosed = false;
  const close = async (): Promise<void> => {
    if (!isClosed) await door.close();
    isClosed = true;
  };
  onTestFinished(close);
  return {
    ...door,
    close,
    mails,
    contexts,
    memory,
    get ca() {
      return authority.caPem;
    },
    connect: () => new SmtpTalk(door.port),
  };
}

function acceptance(address: string): Acceptance {
  if (!address.endsWith('@jar.test') && address !== 'postmaster') return 'not-local';
  return address.startsWith('no') ? 'no-mailbox' : 'accepted';
}

/** The last line of a reply. */
const END = /(?:^|\r\n)\d{3} [^\r\n]*\r\n$/;

/** A client that sends SMTP byte by byte. */
export class SmtpTalk extends RawClient {
  #read = 0;

  constructor(port: number) {
    super(`http://127.0.0.1:${port}`);
    onTestFinished(() => this.close());
    this.socket.setNoDelay(true);
  }

  /** The replies since the last call, including the next complete one. */
  async reply(): Promise<string> {
    for (;;) {
      const fresh = this.received.slice(this.#read);
      const end = /(?:^|\r\n)\d{3} [^\r\n]*\r\n/.exec(fresh);
      if (end) {
        const text = fresh.slice(0, end.index + end[0].length);
        this.#read += text.length;
        return text.replace(/^\r\n/, '').trimEnd();
      }
      await this.until(new RegExp(`[^]{${this.received.length + 1}}`));
    }
  }

  send(text: string | Buffer): this {
    this.socket.write(text);
    return this;
  }

  /** Sends a line and returns the reply. */
  say(line: string): Promise<string> {
    return this.send(`${line}\r\n`).reply();
  }

  /** Greeting, EHLO, MAIL, RCPT and DATA; the content can follow. */
  async begin(to = 'ada@jar.test', from = 'bob@away.test'): Promise<this> {
    await this.reply();
    await this.say('EHLO client.test');
    await this.envelope(to, from);
    return this;
  }

  async envelope(to = 'ada@jar.test', from = 'bob@away.test'): Promise<void> {
    await this.say(`MAIL FROM:<${from}>`);
    await this.say(`RCPT TO:<${to}>`);
    const answer = await this.say('DATA');
    if (!answer.startsWith('354')) throw new Error(`DATA was answered by ${answer}`);
  }

  /** All replies until the server closes the connection. */
  async rest(): Promise<string[]> {
    const all = await this.closed;
    const rest = all.slice(this.#read);
    if (rest !== '' && !END.test(rest)) throw new Error(`a reply was cut: ${JSON.stringify(rest)}`);
    return rest.split('\r\n').filter((line) => line !== '');
  }
}
