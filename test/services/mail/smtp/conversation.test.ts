import { describe, expect, it } from 'vitest';
import { openDoor } from './door.ts';

describe('an SMTP conversation', () => {
  it('offers its extensions, and hands a message over with its envelope', async () => {
    const door = await openDoor({ limits: { messageBytes: 1_000_000 } });
    const talk = door.connect();
    expect(await talk.reply()).toBe('220 mx.jar.test ESMTP');
    expect((await talk.say('EHLO client.test')).split('\r\n')).toEqual([
      '250-mx.jar.test greets client.test',
      '250-PIPELINING',
      '250-8BITMIME',
      '250-SMTPUTF8',
      '250-ENHANCEDSTATUSCODES',
      '250-SIZE 1000000',
      '250 STARTTLS',
    ]);
    expect(await talk.say('MAIL FROM:<bob@Away.Test> SIZE=20 BODY=8BITMIME')).toBe('250 2.1.0 OK');
    expect(await talk.say('RCPT TO:<Ada@JAR.test>')).toBe('250 2.1.5 OK');
    expect(await talk.say('rcpt to:<Ada@jar.test>')).toBe('250 2.1.5 OK');
    expect(await talk.say('DATA')).toMatch(/^354 /);
    expect(await talk.say('Subject: Hi\r\n\r\n..dot\r\n.')).toMatch(/^250 2\.0\.0 Stored as \w+$/);
    expect(await talk.say('QUIT')).toBe('221 2.0.0 Bye');
    expect(await talk.rest()).toEqual([]);
    expect(door.mails).toEqual([
      {
        id: expect.stringMatching(/^\w{16}$/),
        from: 'bob@away.test',
        to: ['Ada@jar.test'],
        raw: Buffer.from('Subject: Hi\r\n\r\n.dot\r\n'),
        remoteAddress: '127.0.0.1',
        helo: 'client.test',
        isExtended: true,
        isSecure: false,
        smtpUtf8: false,
      },
    ]);
  });

  it('accepts several messages on one connection, each with its own envelope', async () => {
    const door = await openDoor();
    const talk = await door.connect().begin();
    expect(await talk.say('one\r\n.')).toMatch(/^250/);
    await talk.envelope('eve@jar.test', '');
    expect(await talk.say('two\r\n.')).toMatch(/^250/);
    expect(door.mails.map(({ from, to, raw }) => [from, to, raw.toString()])).toEqual([
      ['bob@away.test', ['ada@jar.test'], 'one\r\n'],
      ['', ['eve@jar.test'], 'two\r\n'],
    ]);
  });

  it('speaks plain SMTP with a client that says HELO', async () => {
    const door = await openDoor();
    const talk = door.connect();
    await talk.reply();
    expect(await talk.say('HELO old.test')).toBe('250 mx.jar.test greets old.test');
    await talk.envelope();
    expect(await talk.say('x\r\n.')).toMatch(/^250/);
    expect(door.mails[0]).toMatchObject({ helo: 'old.test', isExtended: false });
  });

  it('answers pipelined commands in their order', async () => {
    const door = await openDoor();
    const talk = door.connect();
    await talk.reply();
    await talk.say('EHLO client.test');
    talk.send('MAIL FROM:<bob@away.test>\r\nRCPT TO:<nobody@jar.test>\r\nRCPT TO:<ada@jar.test>\r\nDATA\r\n');
    expect([await talk.reply(), await talk.reply(), await talk.reply(), await talk.reply()]).toEqual([
      '250 2.1.0 OK',
      '550 5.1.1 There is no mailbox nobody@jar.test',
      '250 2.1.5 OK',
      expect.stringMatching(/^354/),
    ]);
    talk.send('text\r\n.\r\nMAIL FROM:<bob@away.test>\r\nRSET\r\nNOOP\r\nQUIT\r\n');
    expect((await talk.rest()).map((line) => line.slice(0, 9))).toEqual([
      '250 2.0.0',
      '250 2.1.0',
      '250 2.0.0',
      '250 2.0.0',
      '221 2.0.0',
    ]);
    expect(door.mails).toHaveLength(1);
  });

  it('relays nothing: an external recipient is rejected, even if hidden in a local part or a source route', async () => {
    const door = await openDoor();
    const talk = door.connect();
    await talk.reply();
    await talk.say('EHLO client.test');
    await talk.say('MAIL FROM:<bob@away.test>');
    expect(await talk.say('RCPT TO:<eve@away.test>')).toBe(
      '550 5.7.1 Relaying denied: eve@away.test is not in a domain of this server',
    );
    expect(await talk.say('RCPT TO:<@jar.test:eve@away.test>')).toMatch(/^550 5\.7\.1/);
    expect(await talk.say('RCPT TO:<"eve@jar.test"@away.test>')).toMatch(/^550 5\.7\.1/);
    expect(await talk.say('RCPT TO:<nobody@jar.test>')).toBe('550 5.1.1 There is no mailbox nobody@jar.test');
    expect(await talk.say('DATA')).toMatch(/^503 5\.5\.1/);
    expect(door.mails).toEqual([]);
  });

  it.each([
    ['MAIL FROM:bob@away.test', '501 5.5.4'],
    ['MAIL TO:<bob@away.test>', '501 5.5.4'],
    ['MAIL', '501 5.5.4'],
    ['MAIL FROM:<bob>', '553 5.1.7'],
    ['MAIL FROM:<bob@@away.test>', '553 5.1.7'],
    ['MAIL FROM:<bob@away..test>', '553 5.1.7'],
    ['MAIL FROM:<.bob@away.test>', '553 5.1.7'],
    [`MAIL FROM:<${'b'.repeat(65)}@away.test>`, '553 5.1.7'],
    [`MAIL FROM:<bob@${'a.'.repeat(130)}test>`, '553 5.1.7'],
    ['MAIL FROM:<bob@[not an ip]>', '553 5.1.7'],
    ['MAIL FROM:<bob\u200b@away.test> SMTPUTF8', '553 5.1.7'],
    ['MAIL FROM:<bob@away.test>SIZE=1', '501 5.5.4'],
    ['MAIL FROM:<bob@away.test> SIZE=many', '501 5.5.4'],
    ['MAIL FROM:<bob@away.test> SIZE=1 SIZE=2', '501 5.5.4'],
    ['MAIL FROM:<bob@away.test> BODY=BINARYMIME', '501 5.5.4'],
    ['MAIL FROM:<bob@away.test> SMTPUTF8=yes', '501 5.5.4'],
    ['MAIL FROM:<bob@away.test> RET=FULL', '555 5.5.4'],
    ['MAIL FROM:<bob@away.test> SIZE=99999999999999999999', '552 5.3.4'],
    ['MAIL FROM:<b\u00f6b@away.test>', '550 5.6.7'],
    ['RCPT TO:<ada@jar.test>', '503 5.5.1'],
    ['DATA', '503 5.5.1'],
    ['DATA now', '501 5.5.4'],
    ['EHLO', '501 5.5.4'],
    ['EHLO two names', '501 5.5.4'],
    ['AUTH PLAIN AGEAYg==', '502 5.5.1'],
    ['BDAT 10 LAST', '502 5.5.1'],
    ['STARTTLS now', '501 5.5.4'],
    ['HACK', '500 5.5.2'],
    ['', '500 5.5.2'],
    ['VRFY ada', '252 2.5.2'],
    ['HELP', '214 2.0.0'],
    ['NOOP anything', '250 2.0.0'],
    ['MAIL FROM: <bob@away.test>', '250 2.1.0'],
    ['MAIL FROM:<>', '250 2.1.0'],
    ['MAIL FROM:<bob@[127.0.0.1]>', '250 2.1.0'],
    ['MAIL FROM:<"b o > b"@away.test>', '250 2.1.0'],
    ['MAIL FROM:<b\u00f6b@m\u00fcnchen.test> SMTPUTF8', '250 2.1.0'],
  ])('answers %j by %s', async (line, start) => {
    const door = await openDoor();
    const talk = door.connect();
    await talk.reply();
    await talk.say('EHLO client.test');
    expect((await talk.say(line)).slice(0, 9)).toBe(start);
    expect(await talk.say('NOOP')).toBe('250 2.0.0 OK');
  });

  it.each([
    ['<"ada"@jar.test>', 'ada@jar.test'],
    ['<@relay.test,@other.test:ada@jar.test>', 'ada@jar.test'],
    ['<Postmaster>', 'postmaster'],
    ['<"a b"@jar.test>', '"a b"@jar.test'],
  ])('knows the recipient %s as %s', async (path, address) => {
    const door = await openDoor();
    const talk = door.connect();
    await talk.reply();
    await talk.say('EHLO client.test');
    await talk.say('MAIL FROM:<>');
    expect(await talk.say(`RCPT TO:${path}`)).toBe('250 2.1.5 OK');
    await talk.say('DATA');
    await talk.say('.');
    expect(door.mails.map(({ to, raw }) => [to, raw.length])).toEqual([[[address], 0]]);
  });

  it('needs a greeting of the client before MAIL, and only one sender', async () => {
    const door = await openDoor();
    const talk = door.connect();
    await talk.reply();
    expect(await talk.say('MAIL FROM:<>')).toBe('503 5.5.1 Send EHLO or HELO first');
    await talk.say('EHLO client.test');
    await talk.say('MAIL FROM:<>');
    expect(await talk.say('MAIL FROM:<>')).toMatch(/^503/);
    await talk.say('EHLO client.test');
    expect(await talk.say('MAIL FROM:<>')).toMatch(/^250/);
  });

  it('accepts addresses and headers in UTF-8, with SMTPUTF8 or, in headers, without', async () => {
    const door = await openDoor();
    const talk = await door.connect().begin();
    expect(await talk.say('Subject: Gr\u00fc\u00dfe\r\n\r\n\u00e4\r\n.')).toMatch(/^250/);
    await talk.say('MAIL FROM:<j\u00f6rg@m\u00fcnchen.test> SMTPUTF8');
    expect(await talk.say('RCPT TO:<\u0434\u0430@jar.test>')).toMatch(/^250/);
    await talk.say('DATA');
    expect(await talk.say('x\r\n.')).toMatch(/^250/);
    expect(door.mails[0]?.raw.toString()).toBe('Subject: Gr\u00fc\u00dfe\r\n\r\n\u00e4\r\n');
    expect(door.mails[1]).toMatchObject({
      from: 'j\u00f6rg@m\u00fcnchen.test',
      to: ['\u0434\u0430@jar.test'],
      smtpUtf8: true,
    });
  });

  it('rejects an HTTP request of a browser before its body is read as commands', async () => {
    const door = await openDoor();
    const talk = door.connect();
    await talk.reply();
    talk.send('POST / HTTP/1.1\r\nHost: localhost\r\n\r\nEHLO evil.test\r\nMAIL FROM:<>\r\n');
    expect(await talk.rest()).toEqual(['421 4.7.0 This port speaks SMTP, not HTTP']);
  });

  it('refuses a client that does not wait for the reply to EHLO or DATA', async () => {
    const door = await openDoor();
    const early = door.connect();
    early.send('EHLO client.test\r\nMAIL FROM:<>\r\nRCPT TO:<ada@jar.test>\r\nDATA\r\nx\r\n.\r\n');
    expect((await early.rest()).map((line) => line.slice(0, 9))).toEqual(['220 mx.ja', '554 5.5.0']);
    const talk = door.connect();
    await talk.reply();
    await talk.say('EHLO client.test');
    talk.send('MAIL FROM:<>\r\nRCPT TO:<nobody@jar.test>\r\nDATA\r\nMAIL FROM:<evil@away.test>\r\n.\r\n');
    expect((await talk.rest()).map((line) => line.slice(0, 9))).toEqual(['250 2.1.0', '550 5.1.1', '554 5.5.0']);
    expect(door.mails).toEqual([]);
  });

  it('answers a client that closes its side right after the message', async () => {
    const door = await openDoor();
    const talk = await door.connect().begin();
    talk.socket.end('x\r\n.\r\n');
    expect((await talk.rest())[0]).toMatch(/^250 2\.0\.0/);
    expect(door.mails).toHaveLength(1);
  });
});
