import { createServer as createTlsServer } from 'node:tls';
import { describe, expect, it, onTestFinished } from 'vitest';
import { loadAuthority } from '../../../../src/kernel/tls/authority.ts';
import { wantedNames } from '../../../../src/kernel/tls/names.ts';
import { sendByRelay } from '../../../../src/services/mail/relay/send.ts';
import { eventually } from '../../../support/eventually.ts';
import { openDoor } from '../smtp/door.ts';
import { scriptedRelay, settings } from './relays.ts';

const never = new AbortController().signal;
const mail = (to: readonly string[] = ['ada@jar.test'], text = 'Subject: Hi\r\n\r\nHello\r\n') => ({
  from: 'bob@jar.test',
  to,
  raw: Buffer.from(text),
});

describe('sending by a relay', () => {
  it('sends the bytes unchanged, with a separate envelope', async () => {
    const door = await openDoor();
    const text = `Subject: Gr\u00fc\u00dfe\r\n\r\n.\r\n..\r\n.dot\r\n${'x'.repeat(300_000)}\r\n`;
    const raw = Buffer.from(text.replace('x'.repeat(300_000), `${'x'.repeat(76)}\r\n`.repeat(4000)));
    const replies = await sendByRelay(
      { from: 'bob@jar.test', to: ['ada@jar.test', 'eve@jar.test'], raw },
      settings(door.port),
      never,
    );
    expect(replies).toEqual([
      {
        address: 'ada@jar.test',
        is: 'sent',
        code: 250,
        enhancedCode: '2.0.0',
        text: expect.stringMatching(/^Stored as/),
      },
      {
        address: 'eve@jar.test',
        is: 'sent',
        code: 250,
        enhancedCode: '2.0.0',
        text: expect.stringMatching(/^Stored as/),
      },
    ]);
    expect(door.mails).toMatchObject([
      { from: 'bob@jar.test', to: ['ada@jar.test', 'eve@jar.test'], helo: 'jar.test' },
    ]);
    expect(door.mails[0]?.raw.equals(raw)).toBe(true);
  });

  it('sends a report with an empty sender, and addresses in UTF-8', async () => {
    const door = await openDoor();
    await sendByRelay({ ...mail(['\u0434\u0430@jar.test']), from: '' }, settings(door.port), never);
    expect(door.mails).toMatchObject([{ from: '', to: ['\u0434\u0430@jar.test'], smtpUtf8: true }]);
  });

  it('never sends a bare CR or LF, which another server might take for the end of the message', async () => {
    const door = await openDoor();
    const [reply] = await sendByRelay(mail(undefined, 'a\n.\nb\r.\rc\r\n.\rd\n.\r\ne'), settings(door.port), never);
    expect(reply).toMatchObject({ is: 'sent' });
    expect(door.mails).toHaveLength(1);
    expect(door.mails[0]?.raw.toString()).toBe('a\r\n.\r\nb\r\n.\r\nc\r\n.\r\nd\r\n.\r\ne\r\n');
  });

  it('returns the result for each recipient', async () => {
    const relay = await scriptedRelay({
      'RCPT TO:<no@away.test>': '550 5.1.1 no such user',
      'RCPT TO:<full@away.test>': '452-4.2.2 the mailbox\r\n452 4.2.2 is full',
    });
    const to = ['ada@away.test', 'no@away.test', 'full@away.test'];
    expect(await sendByRelay(mail(to), settings(relay.port), never)).toEqual([
      { address: 'ada@away.test', is: 'sent', code: 250, enhancedCode: '2.0.0', text: 'queued as 42' },
      { address: 'no@away.test', is: 'refused', code: 550, enhancedCode: '5.1.1', text: 'no such user' },
      { address: 'full@away.test', is: 'later', code: 452, enhancedCode: '4.2.2', text: 'the mailbox is full' },
    ]);
  });

  it('a message that fails at its end fails for those who were accepted', async () => {
    const relay = await scriptedRelay({ '.': '451 try later', 'RCPT TO:<no@away.test>': '550 no' });
    expect(await sendByRelay(mail(['ada@away.test', 'no@away.test']), settings(relay.port), never)).toEqual([
      { address: 'ada@away.test', is: 'later', code: 451, text: 'try later' },
      { address: 'no@away.test', is: 'refused', code: 550, text: 'no' },
    ]);
  });

  it.each([
    [{ MAIL: '550 5.7.1 not you' }, { is: 'refused', code: 550, enhancedCode: '5.7.1', text: 'not you' }],
    [{ MAIL: '421 4.3.2 busy' }, { is: 'later', code: 421 }],
    [{ RCPT: '550 5.1.1 unknown' }, { is: 'refused', code: 550 }],
    [{ RCPT: '450 4.2.0 greylisted' }, { is: 'later', code: 450 }],
    [{ RCPT: '503 bad sequence' }, { is: 'later', code: 503 }],
    [{ DATA: '554 5.7.1 spam' }, { is: 'refused', code: 554 }],
    [{ '.': '552 5.3.4 too large' }, { is: 'refused', code: 552, enhancedCode: '5.3.4' }],
    // A reply about the connection, not about the message: the next attempt may succeed.
    [{ 220: '554 go away' }, { is: 'later', code: 554 }],
    [
      { EHLO: '502 what?', HELO: '502 what?' },
      { is: 'later', code: 502 },
    ],
    [{ 220: 'HTTP/1.1 400 Bad Request' }, { is: 'later' }],
    [{ 220: 'drop' }, { is: 'later', failure: 'SocketError' }],
    [{ MAIL: 'drop' }, { is: 'later', failure: 'SocketError' }],
    [{ DATA: 'drop' }, { is: 'later', failure: 'SocketError' }],
    [{ '.': 'drop' }, { is: 'later', failure: 'SocketError' }],
    [{ 220: 'hang' }, { is: 'later', failure: 'TimedOut' }],
    [{ MAIL: 'hang' }, { is: 'later', failure: 'TimedOut' }],
    [{ '.': 'hang' }, { is: 'later', failure: 'TimedOut' }],
  ])('judges %j as %j', async (answers, judgement) => {
    const relay = await scriptedRelay(answers as Record<string, string>);
    const [reply] = await sendByRelay(mail(), settings(relay.port, { timeoutMs: 500 }), never);
    expect(reply).toMatchObject({ address: 'ada@jar.test', ...judgement });
  });

  it('a relay that is not there, or has no address, is tried later', async () => {
    const relay = await openDoor();
    await relay.close();
    const [refused] = await sendByRelay(mail(), settings(relay.port), never);
    expect(refused).toMatchObject({
      is: 'later',
      failure: 'SocketError',
      text: expect.stringContaining('ECONNREFUSED'),
    });
    const [unknown] = await sendByRelay(mail(), settings(25, { host: 'no-such-relay.invalid' }), never);
    expect(unknown).toMatchObject({ is: 'later', failure: 'ResolutionError' });
  });

  it('a message above the size that the relay announces is refused without a try', async () => {
    const relay = await scriptedRelay({ EHLO: '250-relay.test\r\n250 SIZE 10' });
    const [reply] = await sendByRelay(mail(), settings(relay.port), never);
    expect(reply).toMatchObject({ is: 'refused', code: 552, enhancedCode: '5.3.4' });
    expect(relay.lines.join()).not.toContain('MAIL');
  });

  it('sends no address that would parse as several', async () => {
    const relay = await scriptedRelay();
    for (const address of ['a@b.test>\r\nRCPT TO:<c@d.test', 'a@b.test> SIZE=1', '', 'a@b\n']) {
      const [reply] = await sendByRelay(mail([address]), settings(relay.port), never);
      expect(reply).toMatchObject({ is: 'refused', failure: 'BadAddress' });
      const [other] = await sendByRelay({ ...mail(), from: `${address}<` }, settings(relay.port), never);
      expect(other).toMatchObject({ is: 'refused', failure: 'BadAddress' });
    }
    expect(relay.lines.join()).not.toContain('RCPT');
  });

  it('signs in if a user is configured, and retries later if the relay rejects the user', async () => {
    const greeting = { EHLO: '250-relay.test\r\n250 AUTH PLAIN' };
    const relay = await scriptedRelay({ ...greeting, AUTH: '235 2.7.0 welcome' });
    const signedIn = settings(relay.port, { user: 'jar', password: 'secret' });
    expect(await sendByRelay(mail(), signedIn, never)).toMatchObject([{ is: 'sent' }]);
    expect(relay.lines).toContain(`AUTH PLAIN ${Buffer.from('\0jar\0secret').toString('base64')}`);
    const other = await scriptedRelay({ ...greeting, AUTH: '535 5.7.8 no' });
    const [reply] = await sendByRelay(mail(), settings(other.port, { user: 'jar', password: 'wrong' }), never);
    expect(reply).toMatchObject({ is: 'later', code: 535, enhancedCode: '5.7.8' });
    expect(reply?.text).not.toContain('wrong');
  });

  it('ends when it is cancelled, whatever the relay does', async () => {
    const relay = await scriptedRelay({ MAIL: 'hang' });
    const controller = new AbortController();
    const sent = sendByRelay(mail(), settings(relay.port), controller.signal);
    await eventually(() => expect(relay.lines.join()).toContain('MAIL'));
    controller.abort();
    expect(await sent).toMatchObject([{ is: 'later', failure: 'Aborted' }]);
    expect(await sendByRelay(mail(), settings(relay.port), controller.signal)).toMatchObject([{ failure: 'Aborted' }]);
  });

  it('uses a given connector', async () => {
    const door = await openDoor();
    const asked: unknown[] = [];
    const { connectDirectly } = await import('../../../../src/services/mail/relay/connect.ts');
    const replies = await sendByRelay(
      mail(),
      settings(1, { host: 'relay.example' }),
      never,
      ({ host, port }, signal) => {
        asked.push([host, port]);
        return connectDirectly({ host: '127.0.0.1', port: door.port }, signal);
      },
    );
    expect(replies).toMatchObject([{ is: 'sent' }]);
    expect(asked).toEqual([['relay.example', 1]]);
  });
});

describe('TLS to a relay', () => {
  it('is used if required, with a trusted certificate', async () => {
    const door = await openDoor();
    const replies = await sendByRelay(mail(), settings(door.port, { tls: 'required', ca: [door.ca] }), never);
    expect(replies).toMatchObject([{ is: 'sent' }]);
    expect(door.mails).toMatchObject([{ isSecure: true }]);
  });

  it('fails if required but not offered, or if the certificate is not trusted', async () => {
    const door = await openDoor();
    const [untrusted] = await sendByRelay(mail(), settings(door.port, { tls: 'required' }), never);
    expect(untrusted).toMatchObject({ is: 'later', failure: 'TlsError' });
    const plain = await openDoor({ secureContext: undefined });
    const [missing] = await sendByRelay(mail(), settings(plain.port, { tls: 'required' }), never);
    expect(missing).toMatchObject({ is: 'later' });
    expect(door.mails.concat(plain.mails)).toEqual([]);
  });

  it('is used with any certificate if opportunistic, and not if off', async () => {
    const door = await openDoor();
    await sendByRelay(mail(), settings(door.port, { tls: 'opportunistic' }), never);
    await sendByRelay(mail(), settings(door.port, { tls: 'off' }), never);
    const plain = await openDoor({ secureContext: undefined });
    await sendByRelay(mail(), settings(plain.port, { tls: 'opportunistic' }), never);
    expect(door.mails.concat(plain.mails).map(({ isSecure }) => isSecure)).toEqual([true, false, false]);
  });

  it('is used from the first byte if implicit', async () => {
    const authority = loadAuthority(undefined, { names: () => wantedNames('127.0.0.1'), wallNow: Date.now });
    const { key, cert } = authority.serverCredentials();
    const received: string[] = [];
    const server = createTlsServer({ key, cert }, (socket) => {
      socket.write('220 relay.test\r\n');
      socket.setEncoding('latin1').on('data', (text: string) => {
        received.push(text);
        socket.write(text.startsWith('DATA') ? '354 go\r\n' : text.startsWith('QUIT') ? '221 bye\r\n' : '250 ok\r\n');
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => new Promise((resolve) => server.close(() => resolve())));
    const address = server.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const relay = settings(port, { tls: 'implicit', ca: [authority.caPem] });
    expect(await sendByRelay(mail(), relay, never)).toMatchObject([{ is: 'sent' }]);
    expect(received.join('')).toContain('Hello');
  });
});
