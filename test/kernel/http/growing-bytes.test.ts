import { expect, it } from 'vitest';
import { GrowingBytes } from '../../../src/kernel/http/growing-bytes.ts';

it('pieces of any size result in one buffer', () => {
  for (const sizes of [
    [],
    [0],
    [5],
    [0, 5],
    [1, 4096, 1],
    [70_000, 1, 70_000],
    Array.from({ length: 9000 }, () => 1),
  ]) {
    const pieces = sizes.map((size, at) => Buffer.alloc(size, String(at % 10)));
    const bytes = new GrowingBytes();
    for (const piece of pieces) bytes.add(piece);
    expect(bytes.whole().equals(Buffer.concat(pieces))).toBe(true);
  }
});

it('the first piece stays as it came', () => {
  const first = Buffer.alloc(10, 'a');
  const bytes = new GrowingBytes();
  bytes.add(first.subarray(0, 5));
  bytes.add(Buffer.from('bbb'));
  expect([first.toString(), bytes.whole().toString()]).toEqual(['aaaaaaaaaa', 'aaaaabbb']);
});
