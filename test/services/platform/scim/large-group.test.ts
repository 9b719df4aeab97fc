import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { SEED_TENANT } from '../../../../src/kernel/auth/index.ts';
import { onBothStores } from '../../../support/jars.ts';
import { ACCOUNT } from '../sdk.ts';
import { good, person, withoutRates } from '../support.ts';
import { list } from './support.ts';

/** More than one statement can read or write. */
const PEOPLE = 600;

const userName = (n: number): string => `p${String(n).padStart(4, '0')}@contoso.example`;

/** The account starts with all users of the directory: 600 users cost one transaction instead of 600 calls. */
function seedFile(folder: string): string {
  const user = (n: number, alias: string, username: string, attributes: object) => ({
    id: `30000000-0000-4000-8000-${String(n).padStart(12, '0')}`,
    tenantId: SEED_TENANT,
    alias,
    username,
    displayName: alias,
    attributes,
  });
  const users = [
    user(0, 'admin', 'admin@vendor.example', { administrator: true }),
    ...Array.from({ length: PEOPLE }, (_, n) => user(n + 1, `p${n}`, userName(n), {})),
  ];
  const tenants = [{ id: SEED_TENANT, domain: 'vendor.example', displayName: 'Vendor' }];
  const path = join(folder, 'seed.json');
  writeFileSync(path, JSON.stringify({ directory: { tenants, users, applications: [] } }));
  return path;
}

const folder = mkdtempSync(join(tmpdir(), 'cloudjar-seed-'));
afterAll(() => rmSync(folder, { recursive: true }));

onBothStores(
  'data platform: a large directory',
  (bench) => {
    it('a group of everybody is replaced in one request, and lists page by the store', async () => {
      await withoutRates(bench);
      const admin = await person(bench);
      const scim = `/accounts/${ACCOUNT}/scim/v2`;
      const filter = 'userName sw "p0"';
      const made = await list(admin, `${scim}/Users`, { filter, attributes: 'id', count: '1000' });
      expect(made.Resources).toHaveLength(PEOPLE);
      const everybody = (made.Resources as { id: string }[]).map(({ id }) => ({ value: id }));
      const crowd = await good(admin('POST', `${scim}/Groups`, { displayName: 'crowd', members: everybody }), 201);
      expect(crowd.members).toHaveLength(PEOPLE);
      const half = everybody.slice(PEOPLE / 2);
      const put = await good(admin('PUT', `${scim}/Groups/${crowd.id}`, { displayName: 'crowd', members: half }), 200);
      const ids = (members: readonly { value: string }[]) => members.map(({ value }) => value).sort();
      expect(ids(put.members)).toEqual(ids(half));
      const asked = { filter, sortBy: 'userName', startIndex: '551', count: '100' };
      const page = await list(admin, `${scim}/Users`, asked);
      expect(page).toMatchObject({ totalResults: PEOPLE, startIndex: 551, itemsPerPage: 50 });
      expect(page.Resources[0].userName).toBe(userName(550));
      const all = await list(admin, `${scim}/Groups`, { filter: 'displayName eq "account users"' });
      expect(all.Resources[0].members).toHaveLength(PEOPLE + 1);
    });
  },
  { seed: seedFile(folder) },
);
