import { expect, test } from 'vitest';
import { lockIsSatisfied } from '../../scripts/lib/install.mjs';
import { describeFailure } from '../../scripts/lib/npm.mjs';
import { tempTree } from './temp-tree.ts';

type Packages = Record<string, { version: string; optional?: boolean }>;

function satisfied(wanted: Packages, present?: Packages): boolean {
  const lock = (packages: Packages) => JSON.stringify({ packages });
  return lockIsSatisfied(
    tempTree({
      'package-lock.json': lock({ '': { version: '1.0.0' }, ...wanted }),
      ...(present && { 'node_modules/.package-lock.json': lock(present) }),
    }),
  );
}

const A = { 'node_modules/a': { version: '1.2.3' } };

test('packages that npm installed by hand as locked need no installation', () => {
  expect(satisfied(A, A)).toBe(true);
});

test('a missing, other or surplus package needs an installation', () => {
  expect(satisfied(A)).toBe(false);
  expect(satisfied(A, {})).toBe(false);
  expect(satisfied(A, { 'node_modules/a': { version: '1.2.4' } })).toBe(false);
  expect(satisfied(A, { ...A, 'node_modules/b': { version: '1.0.0' } })).toBe(false);
});

test('a locked package for another platform need not be there, in another version it must not', () => {
  const optional = { ...A, 'node_modules/a-win32': { version: '1.2.3', optional: true } };
  expect(satisfied(optional, A)).toBe(true);
  expect(satisfied(optional, { ...A, 'node_modules/a-win32': { version: '1.2.0', optional: true } })).toBe(false);
});

test('a registry out of reach is named as the cause, with what npm said', () => {
  const message = describeFailure('install', 1, 'npm error code ENOTFOUND\nnpm error syscall getaddrinfo\n');
  expect(message).toMatch(/could not reach the package registry/);
  expect(message).toMatch(/code ENOTFOUND/);
  expect(describeFailure('install', 1, 'npm error code EINTEGRITY')).toMatch(/failed with status 1.*EINTEGRITY/s);
});

test('npm that a signal has ended was interrupted; an error of the system, whose status is above 128 too, is told', () => {
  for (const status of [129, 130, 137, 143])
    expect(describeFailure('install', status, '')).toBe('npm install was interrupted');
  const full = describeFailure('install', 228, 'npm error code ENOSPC\nnpm error nospc no space left on device\n');
  expect(full).toBe(
    'npm install failed with status 228. npm said:\n  npm error code ENOSPC\n  npm error nospc no space left on device',
  );
});
