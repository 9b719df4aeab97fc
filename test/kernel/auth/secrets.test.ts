import { expect, test } from 'vitest';
import { hashPassword, newSecret, passwordMatches, sameText, sha256 } from '../../../src/kernel/auth/secrets.ts';
import { seedCredentials } from '../../../src/kernel/auth/seed-credentials.ts';

test('a password matches its hash and nothing else does', async () => {
  const hash = await hashPassword('open sesame');
  expect(hash).not.toContain('sesame');
  expect(await passwordMatches('open sesame', hash)).toBe(true);
  expect(await passwordMatches('open Sesame', hash)).toBe(false);
  expect(await passwordMatches('', hash)).toBe(false);
});

test('the same password never has the same hash twice', async () => {
  expect(await hashPassword('same')).not.toBe(await hashPassword('same'));
});

test('a letter is the same however a keyboard composes it', async () => {
  expect(await passwordMatches('caf\u0065\u0301', await hashPassword('caf\u00e9'))).toBe(true);
});

test('what is not a hash matches nothing', async () => {
  for (const stored of ['', 'open sesame', 'scrypt$', 'scrypt$AAAA$', 'md5$AAAA$AAAA']) {
    expect(await passwordMatches('open sesame', stored), stored).toBe(false);
  }
});

test('texts compare by all of their characters', () => {
  expect(sameText('a', 'a')).toBe(true);
  expect(sameText('a', 'b')).toBe(false);
  expect(sameText('a', 'aa')).toBe(false);
  expect(sha256('')).toBe('47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU');
  expect(newSecret()).toMatch(/^[\w-]{43}$/);
});

test.each([
  ['127.0.0.1', true],
  ['localhost', true],
  ['::1', true],
  ['jar.localhost', true],
  ['0.0.0.0', false],
  ['::', false],
  ['192.168.1.5', false],
  ['localhost.example', false],
])('a jar on %s has well-known passwords: %s', (host, wellKnown) => {
  const credentials = seedCredentials(host, 'the admin key');
  expect(credentials.wellKnown).toBe(wellKnown);
  expect(credentials.password === 'the admin key').toBe(!wellKnown);
  expect(credentials.applicationSecret === 'the admin key').toBe(!wellKnown);
});
