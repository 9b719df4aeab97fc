import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Input } from '../../../src/cli/datasets/input.ts';
import { readCsv } from '../../../src/cli/datasets/read-csv.ts';
import type { Wanted } from '../../../src/cli/datasets/rows.ts';

const COLUMNS = [
  { name: 'id', dataType: 'Int64' },
  { name: 'text', dataType: 'String' },
];

/** Reads bytes in pieces of this size. */
async function rowsOf(bytes: Buffer, { size = 1_000_000, delimiter = ',', columns = COLUMNS } = {}) {
  async function* parts(): AsyncGenerator<Buffer> {
    for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size);
  }
  const input: Input = { file: 'f.csv', parts: parts(), bytes: bytes.length, bytesRead: () => 0 };
  const wanted: Wanted = { file: 'f.csv', columns, map: new Map(), ignoreUnknown: false, skip: 0 };
  const rows: unknown[] = [];
  for await (const chunk of readCsv(input, wanted, delimiter).chunks)
    for (const { at, json } of chunk) rows.push([at, JSON.parse(json)]);
  return rows;
}

const read = (text: string, options?: Parameters<typeof rowsOf>[1]) => rowsOf(Buffer.from(text), options);

describe('CSV', () => {
  it('empty is blank; quotes around nothing are an empty text in a column of text, and blank in others', async () => {
    expect(await read('id,text\n1,\n2,""\n"",x\n ,"  "\n')).toEqual([
      [2, { id: '1' }],
      [3, { id: '2', text: '' }],
      [4, { text: 'x' }],
      [5, { text: '  ' }],
    ]);
  });

  it('line breaks of every kind end a record, and are part of a value in quotes; a row is at its first line', async () => {
    const rows = await read('id,text\r\n1,"a\nb\r\nc"\n\n2,"d"\r3,e\r\n\r\n4,"\n"');
    expect(rows).toEqual([
      [2, { id: '1', text: 'a\nb\r\nc' }],
      [6, { id: '2', text: 'd' }],
      [7, { id: '3', text: 'e' }],
      [9, { id: '4', text: '\n' }],
    ]);
  });

  it('an empty line is a blank where there is one column', async () => {
    const columns = [{ name: 'text', dataType: 'String' }];
    expect(await read('text\n\nx\n""\n', { columns })).toEqual([
      [2, {}],
      [3, { text: 'x' }],
      [4, { text: '' }],
    ]);
  });

  it('a byte order mark is no part of the first header, in UTF-8 and UTF-16', async () => {
    const text = '\ufeffid,text\n1,ж\n';
    for (const bytes of [Buffer.from(text), Buffer.from(text, 'utf16le')])
      expect(await rowsOf(bytes)).toEqual([[2, { id: '1', text: 'ж' }]]);
  });

  it('another delimiter', async () => {
    expect(await read('id;text\n1;"a;b"\n', { delimiter: ';' })).toEqual([[2, { id: '1', text: 'a;b' }]]);
  });

  it('is the same in pieces of any size', async () => {
    const bytes = Buffer.from('\ufeffid,text\r\n1,"žluťoučký ""kůň"", 🐎\r\nand more"\r\n2,\r\n3,""\r\n');
    const whole = await rowsOf(bytes);
    expect(whole).toHaveLength(3);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: bytes.length }), async (size) => {
        expect(await rowsOf(bytes, { size })).toEqual(whole);
      }),
    );
  });

  it('bytes that end within a character are a mistake', async () => {
    await expect(rowsOf(Buffer.from('id,text\n1,ж\n').subarray(0, -2))).rejects.toThrow(
      'f.csv, line 2: this is not UTF-8',
    );
  });
});
