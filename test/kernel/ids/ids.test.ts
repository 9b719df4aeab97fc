import { expect, test } from 'vitest';
import { etag, shortId, uuid } from '../../../src/kernel/ids/index.ts';

const MANY = 20_000;

test('etags never repeat, need no escaping, and begin with a letter', () => {
  const etags = new Set(Array.from({ length: MANY }, etag));
  expect(etags.size).toBe(MANY);
  expect([...etags].every((each) => /^[A-Za-f][\w-]{15}$/.test(each))).toBe(true);
});

test('short ids have the length asked for and characters that are not mistaken for one another', () => {
  const ids = new Set(Array.from({ length: MANY }, () => shortId()));
  expect(ids.size).toBe(MANY);
  expect([...ids].every((each) => /^[a-km-np-z2-9]{12}$/.test(each))).toBe(true);
  expect(shortId(5)).toHaveLength(5);
});

test('a uuid is a random one', () => {
  expect(uuid()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});
