import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ContentReader } from '../../../../src/services/mail/smtp/content-reader.ts';

const LONGEST_LINE = 40;
const parts = fc.array(
  fc.constantFrom(
    '\r',
    '\n',
    '.',
    '\r\n',
    '\r\n.',
    '\r\n..',
    '\n.\n',
    '\r.\r',
    'a',
    'text',
    '\r\n.\r\n',
    'x'.repeat(45),
  ),
  { maxLength: 30 },
);

interface Read {
  readonly end: number | undefined;
  readonly isFlawed: boolean;
  readonly content: string;
}

/** The result by RFC 5321, computed on the whole text at once; undefined if the text has no end. */
function expected(text: string): Read | undefined {
  const found = `\r\n${text}`.indexOf('\r\n.\r\n');
  if (found < 0) return undefined;
  const body = text.slice(0, found);
  const lines = body.split('\r\n').map((line) => line.replace(/^\./, ''));
  const isFlawed = lines.some((line) => /[\r\n]/.test(line) || line.length > LONGEST_LINE);
  return { end: found + 3, isFlawed, content: lines.join('\r\n') };
}

function read(pieces: readonly string[]): Read {
  let content = '';
  const reader = new ContentReader(LONGEST_LINE, (piece) => {
    content += piece.toString('latin1');
  });
  let before = 0;
  for (const piece of pieces) {
    const end = reader.add(Buffer.from(piece, 'latin1'));
    if (end !== undefined) return { end: before + end, isFlawed: reader.flaw !== undefined, content };
    before += piece.length;
  }
  return { end: undefined, isFlawed: reader.flaw !== undefined, content };
}

/** The text, cut into pieces at these positions. */
function cut(text: string, places: readonly number[]): string[] {
  const at = [0, ...places.map((place) => place % (text.length + 1)).sort((a, b) => a - b), text.length];
  return at.slice(1).map((end, index) => text.slice(at[index], end));
}

describe('the end of a message', () => {
  it('is CRLF.CRLF and nothing else, and dots are unstuffed, however the bytes are cut into packets', () => {
    fc.assert(
      fc.property(parts, fc.array(fc.nat({ max: 500 }), { maxLength: 8 }), (made, places) => {
        const text = made.join('');
        const want = expected(text);
        const got = read(cut(text, places));
        expect(got.end).toBe(want?.end);
        if (!want) return;
        expect(got.isFlawed).toBe(want.isFlawed);
        if (!want.isFlawed) expect(got.content).toBe(want.content);
      }),
      { numRuns: 2000 },
    );
  });

  it('is found in the same place when every byte is a packet of its own', () => {
    fc.assert(
      fc.property(parts, (made) => {
        const text = made.join('');
        const alone = read([...text]);
        const whole = read([text]);
        expect({ ...alone, content: alone.isFlawed ? '' : alone.content }).toEqual({
          ...whole,
          content: whole.isFlawed ? '' : whole.content,
        });
      }),
    );
  });

  it.each([
    ['.\r\n', 3, ''],
    ['..\r\n.\r\n', 7, '.\r\n'],
    ['...\r\n.\r\n', 8, '..\r\n'],
    ['.a\r\n.\r\n', 7, 'a\r\n'],
    ['a\r\n.\r\nMAIL FROM:<x@y>\r\n', 6, 'a\r\n'],
    ['\r\n.\r\n', 5, '\r\n'],
  ])('of %j is after %i bytes', (text, end, content) => {
    expect(read([text])).toEqual({ end, isFlawed: false, content });
  });
});
