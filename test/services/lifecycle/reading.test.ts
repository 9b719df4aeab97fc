import { afterEach, describe, expect, it } from 'vitest';
import type { Collection, Reader } from '../../../src/kernel/store/types.ts';
import { readAll } from '../../../src/services/lifecycle/read-all.ts';
import { readTime } from '../../../src/services/lifecycle/read-time.ts';

describe('a time in a query', () => {
  const zone = process.env.TZ;
  afterEach(() => {
    if (zone === undefined) delete process.env.TZ;
    else process.env.TZ = zone;
  });

  it.each([
    ['2026-03-10', '2026-03-10T00:00:00.000Z'],
    ['2026-03-10T01:30', '2026-03-10T01:30:00.000Z'],
    ['2026-03-10T01:30:00.5', '2026-03-10T01:30:00.500Z'],
    ['2026-03-10t01:30:00z', '2026-03-10T01:30:00.000Z'],
    ['2026-03-10T01:30:00+02:00', '2026-03-09T23:30:00.000Z'],
    ['2026-03-10T01:30:00 02:00', '2026-03-09T23:30:00.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
  ])('%s is %s, wherever the jar is', (text, expected) => {
    process.env.TZ = 'America/New_York';
    expect(new Date(readTime('start', text)).toISOString()).toBe(expected);
  });

  it.each([
    '',
    'now',
    '1773144000',
    '2026-13-01',
    '2026-03-10 (noon)',
    '2026-03-10T25:00:00Z',
    '9999-12-31T23:59:59-23:59',
    '0000-01-01T00:00:00+23:59',
    '+012026-03-10',
  ])('is not %j', (text) => {
    expect(() => readTime('start', text)).toThrow(/'start' must be a date of ISO 8601/);
  });
});

it('whoever reads everything lets others have their turn between two pages', async () => {
  const happened: string[] = [];
  const pages = [['a', 'b'], ['c'], []];
  const reader = {
    query: async (_: unknown, { after, limit }: { after?: [number]; limit: number }) => {
      const [index] = after ?? [0];
      happened.push(`page ${index}`);
      setImmediate(() => happened.push('somebody else'));
      expect(limit).toBe(2);
      const items = pages[index]?.map((key) => ({ key, etag: '', value: key }));
      return { items, ...(index < 2 && { next: [index + 1] }) };
    },
  } as unknown as Reader;
  const read: string[] = [];
  for await (const { key } of readAll(reader, {} as Collection<string>, { page: 2 })) read.push(key);
  expect(read).toEqual(['a', 'b', 'c']);
  expect(happened.slice(0, 5)).toEqual(['page 0', 'somebody else', 'page 1', 'somebody else', 'page 2']);
});
