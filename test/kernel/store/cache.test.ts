import { expect, test } from 'vitest';
import { DocumentCache } from '../../../src/kernel/store/cache.ts';

const document = (key: string) => ({ key, etag: 'e', value: { key } });

test('a document read before an invalidation is not cached after it', () => {
  const cache = new DocumentCache();
  const { version } = cache;
  cache.drop('other');
  cache.keep('a', document('a'), version);
  expect(cache.has('a')).toBe(false);
});

test('it also caches that a document does not exist', () => {
  const cache = new DocumentCache();
  cache.keep('a', undefined, cache.version);
  expect([cache.has('a'), cache.get('a'), cache.has('b')]).toEqual([true, undefined, false]);
});

test('used entries stay, others are evicted, and the size is limited', () => {
  const cache = new DocumentCache();
  cache.keep('used', document('used'), cache.version);
  for (let i = 0; i < 30_000; ) {
    for (const end = i + 1000; i < end; i++) cache.keep(`k${i}`, document(`k${i}`), cache.version);
    expect(cache.has('used')).toBe(true);
  }
  expect(cache.get('used')).toEqual(document('used'));
  const kept = Array.from({ length: 30_000 }, (_, i) => cache.has(`k${i}`)).filter(Boolean).length;
  expect(kept).toBeLessThan(15_000);
});
