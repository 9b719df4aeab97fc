import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

const FROM = 'carol@fabrikam.example';
const TO = 'admin@vendor.example';
const LINES = 12;
/** A complete reply up to its last line. */
const REPLY = /^(?:\d{3}-.*\r\n)*(\d{3}) .*\r\n/;

/** A mail of about a kilobyte. Each is unique, because the jar recognises a repeated mail and stores it once. */
function mailOf(id: string): string {
  const lines = Array.from(
    { length: LINES },
    (_, i) => `Line ${i} with some words about the report, number ${id}-${i}`,
  );
  const head = [`From: Carol <${FROM}>`, `To: ${TO}`, `Subject: Message ${id}`, `Message-ID: <${id}@fabrikam.example>`];
  return [...head, 'Date: Mon, 05 Jan 2026 08:00:00 +0000', '', ...lines].join('\r\n');
}

/** One connection with one command at a time, as most clients send. */
class Conversation {
  readonly #socket: Socket;
  #text = '';

  constructor(port: number) {
    this.#socket = connect({ port, host: '127.0.0.1', noDelay: true });
    this.#socket.setEncoding('latin1');
    this.#socket.on('data', (text: string) => {
      this.#text += text;
    });
  }

  async expect(code: string): Promise<void> {
    for (;;) {
      const found = REPLY.exec(this.#text);
      if (found) {
        this.#text = this.#text.slice(found[0].length);
        if (found[1] !== code) throw new Error(`expected ${code}, got ${found[0]}`);
        return;
      }
      await once(this.#socket, 'data');
    }
  }

  async say(line: string, code: string): Promise<void> {
    this.#socket.write(`${line}\r\n`);
    await this.expect(code);
  }

  end(): void {
    this.#socket.end('QUIT\r\n');
  }
}

/** Acknowledged mails per second, over this many connections. */
export async function mailsPerSecond(port: number, mails: number, connections: number, round: string): Promise<number> {
  const began = performance.now();
  const each = Math.ceil(mails / connections);
  await Promise.all(
    Array.from({ length: connections }, async (_, connection) => {
      const talk = new Conversation(port);
      await talk.expect('220');
      await talk.say('EHLO bench.example', '250');
      for (let i = 0; i < each; i++) {
        await talk.say(`MAIL FROM:<${FROM}>`, '250');
        await talk.say(`RCPT TO:<${TO}>`, '250');
        await talk.say('DATA', '354');
        await talk.say(`${mailOf(`${round}-${connection}-${i}`)}\r\n.`, '250');
      }
      talk.end();
    }),
  );
  return (each * connections) / ((performance.now() - began) / 1000);
}
