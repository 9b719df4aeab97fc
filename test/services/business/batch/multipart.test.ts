import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  boundaryOf,
  MultipartError,
  type Part,
  parseMultipart,
} from '../../../../src/services/business/batch/multipart.ts';

const parse = (text: string, boundary = 'b'): { headers: object; body: string }[] =>
  parseMultipart(Buffer.from(text), boundary).map(({ headers, body }) => ({
    headers: { ...headers },
    body: body.toString(),
  }));

describe('the boundary of a content type', () => {
  it.each([
    ['multipart/mixed; boundary=batch_1', 'batch_1'],
    ['multipart/mixed;boundary="a b\\"c"', 'a b"c'],
    ['Multipart/Mixed; charset=utf-8; BOUNDARY = x ; other=1', 'x'],
    ['application/json', undefined],
    ['multipart/mixedup; boundary=x', undefined],
  ])('%s is %s', (type, boundary) => {
    expect(boundaryOf(type)).toBe(boundary);
  });

  it.each([
    'multipart/mixed',
    'multipart/mixed; boundary=',
    'multipart/mixed; boundary=""',
    `multipart/mixed; boundary=${'x'.repeat(201)}`,
  ])('%s is refused', (type) => {
    expect(() => boundaryOf(type)).toThrow(MultipartError);
  });
});

describe('a multipart text', () => {
  it('may end its lines with LF alone, and have text before the first part and behind the last', () => {
    const text = 'hello\n--b\nA: 1\n\none\n\n--b\n\ntwo\n--b--\nbye --b\n--b\n';
    expect(parse(text)).toEqual([
      { headers: { a: '1' }, body: 'one\n' },
      { headers: {}, body: 'two' },
    ]);
  });

  it('keeps what only looks like a delimiter', () => {
    const text = '--b\r\n\r\n--bb\r\n --b\r\nx--b\r\n--b-\r\n--b--x\r\n--b \t\r\n\r\n\r\n--b-- ';
    expect(parse(text)).toEqual([
      { headers: {}, body: '--bb\r\n --b\r\nx--b\r\n--b-\r\n--b--x' },
      { headers: {}, body: '' },
    ]);
  });

  it('joins headers that are folded or repeated, and takes their names in any case', () => {
    const text = '--b\r\nContent-Type: multipart/mixed;\r\n\tboundary=c\r\nX: 1\r\nx: 2\r\n\r\n--b--';
    expect(parse(text)).toEqual([{ headers: { 'content-type': 'multipart/mixed; boundary=c', x: '1, 2' }, body: '' }]);
  });

  it('can have a header of any name, a trap included', () => {
    const [part] = parseMultipart(Buffer.from('--b\r\n__proto__: x\r\n\r\n--b--'), 'b') as [Part];
    expect(Object.entries(part.headers)).toEqual([['__proto__', 'x']]);
  });

  it.each([
    ['nothing at all', ''],
    ['no delimiter', 'a\r\nb'],
    ['no final delimiter', '--b\r\n\r\nx\r\n'],
    ['a line among the headers that is none', '--b\r\nContent-Type\r\n\r\n--b--'],
    ['a header that begins with a blank', '--b\r\n x: 1\r\n\r\n--b--'],
    ['too many headers', `--b\r\n${'a: 1\r\n'.repeat(101)}\r\n--b--`],
    ['headers that are too long', `--b\r\na: ${'x'.repeat(70_000)}\r\n\r\n--b--`],
    ['headers that are too long together', `--b\r\n${`a: ${'x'.repeat(2000)}\r\n`.repeat(40)}\r\n--b--`],
    ['too many parts', `${'--b\r\n\r\n'.repeat(100_002)}--b--`],
  ])('with %s is refused', (_, text) => {
    expect(() => parse(text)).toThrow(MultipartError);
  });

  const header = fc.tuple(
    fc.stringMatching(/^[A-Za-z][A-Za-z0-9-]{0,10}$/),
    fc.string({ maxLength: 20 }).map((text) => text.replace(/[\r\n]/g, '').trim()),
  );
  const written = fc.record({
    headers: fc.uniqueArray(header, { selector: ([name]) => name.toLowerCase(), maxLength: 4 }),
    body: fc.uint8Array({ maxLength: 60 }),
  });

  it('gives back every part as it was written, whatever bytes are in it', () => {
    const boundaries = fc.stringMatching(/^[A-Za-z0-9'()+_,./:=?-]{6,20}$/);
    fc.assert(
      fc.property(
        boundaries,
        fc.constantFrom('\r\n', '\n'),
        fc.array(written, { maxLength: 5 }),
        (boundary, end, parts) => {
          fc.pre(!parts.some(({ body }) => Buffer.from(body).includes(`--${boundary}`)));
          // A body that begins with CR after a bare LF cannot be distinguished from a line that ends in CRLF.
          const chunks = parts.flatMap(({ headers, body }) => [
            Buffer.from(`--${boundary}${end}`),
            Buffer.from(headers.map(([name, value]) => `${name}: ${value}${end}`).join('') + end),
            Buffer.from(body),
            Buffer.from(body.at(-1) === 13 && end === '\n' ? '\r\n' : end),
          ]);
          const read = parseMultipart(Buffer.concat([...chunks, Buffer.from(`--${boundary}--${end}`)]), boundary);
          expect(read.map(({ headers, body }) => [{ ...headers }, [...body]])).toEqual(
            parts.map(({ headers, body }) => [
              Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value])),
              [...body],
            ]),
          );
        },
      ),
    );
  });

  it('of any bytes is read or refused, and never anything else', () => {
    const pieces = fc.constantFrom(
      '--b',
      '--b--',
      '\r\n',
      '\n',
      '\r',
      ' ',
      '\t',
      ':',
      'a: 1',
      '--',
      'b',
      '\0',
      'ü',
      'GET x',
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 60 }), (texts) => {
        try {
          parse(texts.join(''));
        } catch (error) {
          expect(error).toBeInstanceOf(MultipartError);
        }
      }),
      { numRuns: 1000 },
    );
  });

  it('of eight million bytes that nearly are delimiters is read in one go', () => {
    const almost = '-'.repeat(8_000_000);
    expect(parse(`--${'-'.repeat(60)}\r\n\r\n${almost}\r\n--${'-'.repeat(60)}--`, '-'.repeat(60))).toHaveLength(1);
  });
});
