import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import type { Bench, Reply } from '../../support/jars.ts';
import { type Ask, MY } from './support.ts';

export const TENANT = '10000000-0000-4000-8000-000000000001';

/** Users in the directory of every jar: alias, address and object id. */
export const ADA = { alias: 'admin', address: 'admin@vendor.example', id: '10000000-0000-4000-8000-000000000011' };
export const LIN = {
  alias: 'licensed',
  address: 'licensed@vendor.example',
  id: '10000000-0000-4000-8000-000000000012',
};
export const DEE = {
  alias: 'delegated-admin',
  address: 'delegated-admin@vendor.example',
  id: '10000000-0000-4000-8000-000000000013',
};
export const OTTO = { alias: 'other', address: 'other@other.example', id: '20000000-0000-4000-8000-000000000011' };
export const APP = { alias: 'app', id: '10000000-0000-4000-8000-0000000000a2' };

export const TEAM = '5b1c9d0e-7a52-4d0e-9e63-4f3f6a1c7d20';

/** Calls as a user whose token names a group. */
export async function memberOf(bench: Bench, user: string, group: string): Promise<Ask> {
  const token = await bench.jar.token({ user, ttl: '365d', claims: { groups: group } });
  return (method, path, body) => bench.call(method, `${MY}/${path}`, { token, ...(body !== undefined && { body }) });
}

export const asUser = (identifier: string, right: string) => ({
  identifier,
  principalType: 'User',
  groupUserAccessRight: right,
});

export const sharedWith = (identifier: string, right: string) => ({
  identifier,
  principalType: 'User',
  datasetUserAccessRight: right,
});

/** Status and code, wherever the code is in the response. */
export const outcome = ({ status, headers }: Reply) => ({ status, code: headers.get('x-powerbi-error-info') });

export const NOT_FOUND = { status: 404, code: 'PowerBIEntityNotFound' };
export const FORBIDDEN = { status: 401, code: 'PowerBINotAuthorizedException' };

/** A temporary seed file for a test file. */
export function seedFile(datasets: unknown, more: object = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'cloudjar-seed-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'seed.json');
  writeFileSync(file, JSON.stringify({ ...more, datasets }));
  return file;
}
