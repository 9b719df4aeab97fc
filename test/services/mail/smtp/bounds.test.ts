import { describe, expect, it } from 'vitest';
import { MemoryBudget } from '../../../../src/kernel/http/memory-budget.ts';
import { eventually } from '../../../support/eventually.ts';
import { openDoor } from './door.ts';

const MIB = 1024 * 1024;
const LINE = `${'x'.repeat(76)}\r\n`;
const text = (bytes: number): string => LINE.repeat(Math.ceil(bytes / LINE.length));

describe('the bounds of the SMTP server', () => {
  it('a message that is announced as too large is refused before it is sent', async () => {
    const door = await openDoor({ limits: { messageBytes: 1000 } });
    const talk = door.connect();
    await talk.reply();
    await talk.say('EHLO client.test');
    expect(await talk.say('MAIL FROM:<> SIZE=1001')).toBe('552 5.3.4 A message has 1000 bytes at most');
    expect(await talk.say('MAIL FROM:<> SIZE=1000')).toBe('250 2.1.0 OK');
  });

  it('a message that is too large is refused with its end, and the connection goes on', async () => {
    const door = await openDoor({ limits: { messageBytes: 780 } });
    const talk = await door.connect().begin();
    expect(await talk.say(`${text(780)}x\r\n.`)).toBe('552 5.3.4 A message has 780 bytes at most');
    await talk.envelope();
    expect(await talk.say(`${text(780)}.`)).toMatch(/^250/);
    expect(door.mails.map(({ raw }) => raw.length)).toEqual([780]);
  });

  it('a message without an end is cut off, and holds no memory after its limit', async () => {
    const door = await openDoor({ limits: { messageBytes: MIB } });
    const talk = await door.connect().begin();
    for (let sent = 0; sent < 4 * MIB && !talk.socket.destroyed; sent += 64 * 1024) {
      talk.send(text(64 * 1024));
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect((await talk.rest())[0]).toBe(`552 5.3.4 A message has ${MIB} bytes at most`);
    expect(door.memory.held).toEqual({ bytes: 0, bodies: 0, streams: 0 });
  });

  it('the largest message arrives whole, and its memory is free again', async () => {
    const door = await openDoor({
      limits: { messageBytes: 35 * MIB },
      memory: new MemoryBudget({ bytes: 64 * MIB, count: 4, countsAbove: 64 * 1024 }),
    });
    const talk = await door.connect().begin();
    const whole = text(35 * MIB - LINE.length);
    talk.send(whole);
    expect(await talk.say('.')).toMatch(/^250/);
    expect(door.mails[0]?.raw.equals(Buffer.from(whole))).toBe(true);
    expect(door.memory.held.bytes).toBe(0);
  });

  it('messages in flight share a budget: a message that exceeds it is deferred', async () => {
    const { promise: stored, resolve: store } = Promise.withResolvers<void>();
    const memory = new MemoryBudget({ bytes: 300 * 1024, count: 4, countsAbove: 64 * 1024 });
    const door = await openDoor({
      memory,
      async receive() {
        await stored;
        return { is: 'stored' };
      },
    });
    const first = await door.connect().begin();
    first.send(`${text(200 * 1024)}.\r\n`);
    await eventually(() => expect(memory.held.bytes).toBeGreaterThan(200 * 1024));
    const second = await door.connect().begin();
    expect(await second.say(`${text(200 * 1024)}.`)).toBe('452 4.3.1 Too much mail at once, try again later');
    const small = await door.connect().begin();
    small.send('small\r\n.\r\n');
    store();
    expect(await small.reply()).toMatch(/^250/);
    expect(await first.reply()).toMatch(/^250/);
    expect(memory.held).toEqual({ bytes: 0, bodies: 0, streams: 0 });
  });

  it('has a limit of recipients, after which the others still get the message', async () => {
    const door = await openDoor({ limits: { recipients: 2 } });
    const talk = door.connect();
    await talk.reply();
    await talk.say('EHLO client.test');
    await talk.say('MAIL FROM:<>');
    await talk.say('RCPT TO:<a@jar.test>');
    await talk.say('RCPT TO:<b@jar.test>');
    expect(await talk.say('RCPT TO:<c@jar.test>')).toBe('452 4.5.3 Too many recipients');
    expect(await talk.say('RCPT TO:<a@jar.test>')).toBe('250 2.1.5 OK');
    await talk.say('DATA');
    await talk.say('x\r\n.');
    expect(door.mails[0]?.to).toEqual(['a@jar.test', 'b@jar.test']);
  });

  it('has a limit of connections, in all and per address, which a closed one frees', async () => {
    const door = await openDoor({ limits: { connections: 3, connectionsPerAddress: 2 } });
    const first = door.connect();
    await first.reply();
    await door.connect().reply();
    const third = door.connect();
    expect(await third.rest()).toEqual(['421 4.7.0 Too many connections, try again later']);
    expect(await first.say('QUIT')).toMatch(/^221/);
    await first.closed;
    await eventually(async () => expect(await door.connect().reply()).toMatch(/^220/));
  });

  it('a client that says nothing, or never ends its line, is disconnected', async () => {
    const door = await openDoor({ limits: { idleMs: 50 } });
    const silent = door.connect();
    expect((await silent.rest()).at(-1)).toBe('421 4.4.2 Idle for too long');
    const slow = door.connect();
    const typing = setInterval(() => slow.socket.writable && slow.send('N'), 10);
    expect((await slow.rest()).at(-1)).toBe('421 4.4.2 Idle for too long');
    clearInterval(typing);
  });

  it('a message that arrives too slowly, or takes too long, is aborted', async () => {
    const door = await openDoor({ limits: { progressMs: 50, progressBytes: 10_000 } });
    const slow = await door.connect().begin();
    slow.send('Subject: slow\r\n');
    expect(await slow.rest()).toEqual(['421 4.4.2 The message arrives too slowly']);
    const other = await openDoor({ limits: { messageMs: 50 } });
    const long = await other.connect().begin();
    const sending = setInterval(() => long.socket.writable && long.send(LINE), 5);
    expect(await long.rest()).toEqual(['421 4.4.2 The message was not complete within 0.05 s']);
    clearInterval(sending);
    expect(door.mails.concat(other.mails)).toEqual([]);
  });

  it('a client that only sends commands is disconnected; one that delivers mail may continue', async () => {
    const door = await openDoor({ limits: { commands: 6 } });
    const talk = await door.connect().begin();
    await talk.say('x\r\n.');
    await talk.envelope();
    expect(await talk.say('x\r\n.')).toMatch(/^250/);
    for (let i = 0; i < 6; i++) expect(await talk.say('NOOP')).toMatch(/^250/);
    talk.send('NOOP\r\n');
    expect(await talk.rest()).toEqual(['421 4.7.0 Too many commands']);
  });

  it('a client that makes only mistakes is disconnected', async () => {
    const door = await openDoor({ limits: { mistakes: 3 } });
    const talk = door.connect();
    await talk.reply();
    talk.send('A\r\nB\r\nC\r\nD\r\n');
    expect(await talk.rest()).toEqual([
      '500 5.5.2 Unknown command',
      '500 5.5.2 Unknown command',
      '500 5.5.2 Unknown command',
      '421 4.7.0 Too many mistakes',
    ]);
  });

  it('a line that is too long ends the connection as a command, and refuses the message as text', async () => {
    const door = await openDoor({ limits: { commandLineBytes: 100, textLineBytes: 100 } });
    const talk = await door.connect().begin();
    expect(await talk.say(`${'x'.repeat(101)}\r\n.`)).toBe('550 5.6.0 A line of the message is too long');
    await talk.envelope();
    expect(await talk.say(`${'x'.repeat(100)}\r\n.`)).toMatch(/^250/);
    expect(await talk.say(`NOOP ${'x'.repeat(95)}`)).toMatch(/^250/);
    talk.send('x'.repeat(10_000));
    expect(await talk.rest()).toEqual(['500 5.5.2 The line is too long']);
  });

  it('a client that never reads its replies is disconnected, and they do not pile up', async () => {
    const door = await openDoor({ limits: { idleMs: 200, commands: 1_000_000 } });
    const talk = door.connect();
    await talk.reply();
    await talk.say('EHLO client.test');
    await talk.say('MAIL FROM:<>');
    talk.socket.pause();
    // Causes long replies, so that the system's buffers fill quickly.
    const commands = `RCPT TO:<${'a'.repeat(60)}@${'b.'.repeat(120)}test>\r\n`.repeat(1000);
    const sending = setInterval(
      () => talk.socket.writable && talk.socket.writableLength < MIB && talk.send(commands),
      1,
    );
    await new Promise((resolve) => talk.socket.once('close', resolve).once('error', resolve));
    clearInterval(sending);
  });
});
