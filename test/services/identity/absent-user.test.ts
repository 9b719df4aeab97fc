import { expect, test, vi } from 'vitest';
import { startJar } from '../../../src/testing/index.ts';
import { askToken, COMMAND_LINE, control, MANAGEMENT } from './support.ts';

const derivations = vi.hoisted(() => ({ count: 0 }));
vi.mock('node:crypto', async (original) => {
  const crypto = await original<typeof import('node:crypto')>();
  const scrypt = (...given: Parameters<typeof crypto.scrypt>): void => {
    derivations.count++;
    crypto.scrypt(...given);
  };
  return { ...crypto, scrypt };
});

test('a user who does not exist costs a guess as much as one with a password of his own', async () => {
  await using jar = await startJar();
  const user = { username: 'own@vendor.example', alias: 'own', password: 'correct horse' };
  await control(jar, 'PUT', 'users/30000000-0000-4000-8000-000000000007', user);
  const guess = async (username: string) => {
    derivations.count = 0;
    const form = { grant_type: 'password', client_id: COMMAND_LINE, scope: `${MANAGEMENT}/.default`, username };
    const { body } = await askToken(jar, { ...form, password: 'guess' });
    return { codes: body.error_codes, derivations: derivations.count };
  };
  expect(await guess('own')).toEqual({ codes: [50126], derivations: 1 });
  expect(await guess('nobody')).toEqual({ codes: [50126], derivations: 1 });
});
