import { describe, expect, it } from 'vitest';
import { openDoor, type TestDoor } from './door.ts';

/** Byte sequences that some servers accept as the end of a message. */
const FALSE_ENDS = [
  '\n.\n',
  '\n.\r\n',
  '\r\n.\n',
  '\r.\r',
  '\r\n.\r',
  '\r.\r\n',
  '\r.\n',
  '\n.\r',
  '\r\n\0.\r\n\n.\n',
  '\r\r\n.\n',
  '\n\n.\n\n',
];
const SMUGGLED = 'MAIL FROM:<evil@jar.test>\r\nRCPT TO:<eve@jar.test>\r\nDATA\r\nSubject: smuggled\r\n\r\nx';
const TEXT = 'Subject: one\r\n\r\nHello';

async function send(door: TestDoor, pieces: readonly string[]): Promise<string[]> {
  const talk = await door.connect().begin();
  for (const piece of pieces) {
    talk.send(piece);
    // Each piece is sent before the next one, so that it is a separate packet.
    await new Promise((resolve) => setImmediate(resolve));
  }
  talk.send('QUIT\r\n');
  return talk.rest();
}

describe('SMTP smuggling', () => {
  it.each(FALSE_ENDS)('%j ends no message: the whole is refused, and nothing behind it is a command', async (end) => {
    const door = await openDoor();
    const replies = await send(door, [`${TEXT}${end}${SMUGGLED}\r\n.\r\n`]);
    expect(replies.map((line) => line.slice(0, 9))).toEqual(['550 5.6.0', '221 2.0.0']);
    expect(door.mails).toEqual([]);
  });

  it.each(FALSE_ENDS)('%j ends no message wherever the packets are cut', async (end) => {
    const door = await openDoor({ limits: { connectionsPerAddress: 100 } });
    const whole = `Hi${end}${SMUGGLED}\r\n.\r\n`;
    const cuts = Array.from({ length: end.length + 4 }, (_, index) => index + 1);
    const replies = await Promise.all(cuts.map((cut) => send(door, [whole.slice(0, cut), whole.slice(cut)])));
    for (const lines of replies) {
      expect(lines.map((line) => line.slice(0, 9))).toEqual(['550 5.6.0', '221 2.0.0']);
    }
    expect(door.mails).toEqual([]);
  });

  it('every byte in a packet of its own changes nothing', async () => {
    const door = await openDoor();
    const replies = await send(door, [...`a\n.\r\n${SMUGGLED}\r\n.\r\n`]);
    expect(replies.map((line) => line.slice(0, 9))).toEqual(['550 5.6.0', '221 2.0.0']);
    const fine = await send(door, [...'a\r\n..\r\n.\r\n']);
    expect(fine.map((line) => line.slice(0, 9))).toEqual(['250 2.0.0', '221 2.0.0']);
    expect(door.mails.map(({ raw }) => raw.toString())).toEqual(['a\r\n.\r\n']);
  });

  it('a refused message does not spoil the next one on its connection', async () => {
    const door = await openDoor();
    const talk = await door.connect().begin();
    expect(await talk.say('bare\nline\r\n.')).toBe(
      '550 5.6.0 The message has a bare LF; every line must end with CR LF',
    );
    await talk.envelope();
    expect(await talk.say('bare\rline\r\n.')).toBe(
      '550 5.6.0 The message has a bare CR; every line must end with CR LF',
    );
    await talk.envelope();
    expect(await talk.say('fine\r\n.')).toMatch(/^250/);
    expect(door.mails.map(({ raw }) => raw.toString())).toEqual(['fine\r\n']);
  });

  it.each([
    ['NOOP\n', 'LF only'],
    ['NOOP\nMAIL FROM:<>\r\n', 'LF only'],
    ['NOOP\rMAIL FROM:<>\r\n', 'another CR'],
    ['NOOP\r\r\n', 'another CR'],
  ])('the command line %j is refused, and the connection ends', async (bytes, reason) => {
    const door = await openDoor();
    const talk = door.connect();
    await talk.reply();
    talk.send(bytes);
    const [only, ...others] = await talk.rest();
    expect(only).toMatch(/^500 5\.5\.2/);
    expect(only).toContain(reason);
    expect(others).toEqual([]);
  });
});
