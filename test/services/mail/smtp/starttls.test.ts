import { connect as connectTls, type TLSSocket } from 'node:tls';
import { describe, expect, it } from 'vitest';
import { openDoor, type SmtpTalk, type TestDoor } from './door.ts';

async function handshake(talk: SmtpTalk, door: TestDoor, servername?: string): Promise<TLSSocket> {
  talk.socket.removeAllListeners('data');
  const secure = connectTls({ socket: talk.socket, ca: door.ca, host: '127.0.0.1', ...(servername && { servername }) });
  await new Promise((resolve, reject) => secure.once('secureConnect', resolve).once('error', reject));
  return secure;
}

/** Sends each line after the reply to the previous one, and returns the replies. */
async function exchange(secure: TLSSocket, lines: readonly string[]): Promise<string[]> {
  const replies: string[] = [];
  let received = '';
  for (const line of lines) {
    received = '';
    secure.write(`${line}\r\n`);
    while (!/^\d{3} [^\r\n]*\r\n$/m.test(received)) {
      received += String(await new Promise((resolve) => secure.once('data', resolve)));
    }
    replies.push(received.trimEnd());
  }
  return replies;
}

describe('STARTTLS', () => {
  it('makes the certificate with the first client that asks, and the mail says that it came over TLS', async () => {
    const door = await openDoor();
    const plain = await door.connect().begin();
    await plain.say('x\r\n.');
    expect(door.contexts).toEqual([]);
    const talk = door.connect();
    await talk.reply();
    await talk.say('EHLO client.test');
    expect(await talk.say('STARTTLS')).toBe('220 2.0.0 Ready to start TLS');
    const secure = await handshake(talk, door, 'localhost');
    const [hello, mail, rcpt, data, end, again] = await exchange(secure, [
      'EHLO client.test',
      'MAIL FROM:<bob@away.test>',
      'RCPT TO:<ada@jar.test>',
      'DATA',
      'x\r\n.',
      'STARTTLS',
    ]);
    expect(hello).not.toContain('STARTTLS');
    expect([mail, rcpt, data, end, again].map((line) => line?.slice(0, 3))).toEqual([
      '250',
      '250',
      '354',
      '250',
      '503',
    ]);
    expect(door.mails.map(({ isSecure }) => isSecure)).toEqual([false, true]);
    expect(door.contexts).toEqual([undefined, 'localhost']);
  });

  it('discards the plaintext state, and drops bytes sent after the command', async () => {
    const door = await openDoor();
    const talk = door.connect();
    await talk.reply();
    await talk.say('EHLO evil.test');
    talk.send('STARTTLS\r\nEHLO evil.test\r\nMAIL FROM:<evil@away.test>\r\nRCPT TO:<ada@jar.test>\r\n');
    expect(await talk.reply()).toMatch(/^220/);
    const secure = await handshake(talk, door);
    const [mail, , rcpt] = await exchange(secure, ['MAIL FROM:<>', 'EHLO client.test', 'RCPT TO:<ada@jar.test>']);
    expect([mail, rcpt].map((line) => line?.slice(0, 9))).toEqual(['503 5.5.1', '503 5.5.1']);
  });

  it('ends the connection where the handshake fails or takes too long', async () => {
    const door = await openDoor({ limits: { handshakeMs: 50 } });
    const wrong = door.connect();
    await wrong.reply();
    await wrong.say('STARTTLS');
    wrong.send('this is no handshake\r\n'.repeat(10));
    await wrong.closed;
    const silent = door.connect();
    await silent.reply();
    await silent.say('STARTTLS');
    await silent.closed;
  });

  it('a client that does not trust the certificate leaves nothing behind', async () => {
    const door = await openDoor();
    const talk = door.connect();
    await talk.reply();
    await talk.say('STARTTLS');
    talk.socket.removeAllListeners('data');
    const secure = connectTls({ socket: talk.socket, host: '127.0.0.1' });
    await new Promise((resolve) => secure.once('error', resolve));
    await door.close();
  });

  it('does not hold up the end of the server', async () => {
    const door = await openDoor({ limits: { handshakeMs: 600_000, closeMs: 600_000 } });
    const talk = door.connect();
    await talk.reply();
    await talk.say('STARTTLS');
    await door.close();
    await talk.closed;
  });

  it('is not offered without a certificate, and fails temporarily if none can be created', async () => {
    const without = await openDoor({ secureContext: undefined });
    const talk = without.connect();
    await talk.reply();
    expect(await talk.say('EHLO client.test')).not.toContain('STARTTLS');
    expect(await talk.say('STARTTLS')).toMatch(/^502 5\.5\.1/);
    const broken = await openDoor({
      secureContext() {
        throw new Error('no key');
      },
    });
    const other = broken.connect();
    await other.reply();
    expect(await other.say('STARTTLS')).toBe('454 4.7.0 TLS is not available at the moment');
    expect(await other.say('NOOP')).toBe('250 2.0.0 OK');
  });
});
