import { beforeEach, describe, expect, it } from 'vitest';
import { datasets, tableStates } from '../../../../src/services/datasets/collections.ts';
import { SERVICES } from '../../../../src/services.ts';
import { JarProbe } from '../../../support/jar-probe.ts';
import { onBothStores } from '../../../support/jars.ts';
import { ADA, asUser, FORBIDDEN, LIN, memberOf, NOT_FOUND, OTTO, outcome, TEAM } from '../people.ts';
import { type Ask, good, mistake, PLAIN, person, somewhat } from '../support.ts';

const probe = new JarProbe();

onBothStores(
  'workspaces',
  (bench) => {
    let ada: Ask;

    beforeEach(async () => {
      await bench.jar.reset();
      ada = await person(bench);
    });

    const make = async (name: string): Promise<string> => (await good(ada('POST', 'groups', { name }))).id;
    const names = async (query = '', ask = ada): Promise<readonly string[]> =>
      (await good(ask('GET', `groups${query}`))).value.map(({ name }: { name: string }) => name);

    it.each(['a\u0000b', 'a\ud800', '\u0007'])('refuse the name %j, new or changed', async (name) => {
      const id = await make('Plain');
      const refused = { status: 400, code: 'BadRequest', target: 'name' };
      expect(mistake(await ada('POST', 'groups', { name }))).toMatchObject(refused);
      expect(mistake(await ada('PATCH', `groups/${id}`, { name }))).toMatchObject(refused);
      expect(await names()).toEqual(['Plain']);
    });

    describe('lists', () => {
      let first: string;

      beforeEach(async () => {
        first = await make('Sales North');
        for (const name of ['Sales South', "O'Brien", 'Stock', 'Ärger']) await make(name);
      });

      it.each<[string, readonly string[]]>([
        ["name eq 'sales north'", ['Sales North']],
        ["contains(name,'sales')", ['Sales North', 'Sales South']],
        ["contains(name,'north') or name eq 'stock'", ['Sales North', 'Stock']],
        ["startswith(name,'s') and not endswith(name,'h')", ['Stock']],
        ["name eq 'O''Brien'", ["O'Brien"]],
        ["tolower(name) eq 'stock'", ['Stock']],
        ["name in ('Stock','nosuch')", ['Stock']],
        ["name eq 'nosuch'", []],
      ])('finds by %s', async (filter, expected) => {
        const found = await names(`?$filter=${encodeURIComponent(filter)}`);
        expect([...found].sort()).toEqual(expected);
      });

      it('finds by id, with and without quotes', async () => {
        for (const filter of [`id eq '${first}'`, `id eq ${first}`, `id eq '${first.toUpperCase()}'`])
          expect(await names(`?$filter=${encodeURIComponent(filter)}`)).toEqual(['Sales North']);
      });

      it('goes through all of them by $top and $skip, none twice', async () => {
        const all = await names();
        expect([...all].sort()).toEqual(["O'Brien", 'Sales North', 'Sales South', 'Stock', 'Ärger']);
        const pages = [await names('?$top=2'), await names('?$top=2&$skip=2'), await names('?$top=2&$skip=4')];
        expect(pages.flat()).toEqual(all);
        expect(await names('?$skip=5')).toEqual([]);
      });

      it.each(['name gt', "nosuch eq 'x'", 'name eq 5'])('refuses the filter %s', async (filter) => {
        expect(outcome(await ada('GET', `groups?$filter=${encodeURIComponent(filter)}`))).toEqual({
          status: 400,
          code: 'InvalidRequest',
        });
      });

      it('shows each what they are in, by themselves or by a group, and another tenant nothing', async () => {
        const lin = await person(bench, LIN.alias);
        expect(await names('', lin)).toEqual([]);
        await good(ada('POST', `groups/${first}/users`, asUser(LIN.address, 'Viewer')));
        expect(await names('', lin)).toEqual(['Sales North']);
        const team = { identifier: TEAM, principalType: 'Group', groupUserAccessRight: 'Member', displayName: 'Team' };
        await good(ada('POST', `groups/${first}/users`, team));
        expect(await names('', await memberOf(bench, 'no-job-queue', TEAM))).toEqual(['Sales North']);
        expect(await names('', await memberOf(bench, 'no-job-queue', `${TEAM.slice(0, -1)}1`))).toEqual([]);
        expect(await names('', await memberOf(bench, OTTO.alias, TEAM))).toEqual([]);
      });
    });

    it('gets and renames one, each name once in a tenant', async () => {
      const id = await make('Sales');
      await make('Stock');
      const expected = { id, name: 'Sales', isReadOnly: false, isOnDedicatedCapacity: false, type: 'Workspace' };
      expect(await good(ada('GET', `groups/${id}`))).toMatchObject(expected);
      expect(await ada('PATCH', `groups/${id}`, { name: '  Sales 2 ' })).toMatchObject({ status: 200, text: '' });
      expect(await good(ada('GET', `groups/${id.toUpperCase()}`))).toMatchObject({ id, name: 'Sales 2' });
      await good(ada('PATCH', `groups/${id}`, { name: 'SALES 2' }));
      expect(outcome(await ada('PATCH', `groups/${id}`, { name: 'stock' }))).toEqual({
        status: 409,
        code: 'PowerBIEntityAlreadyExists',
      });
      expect((await names()).includes('SALES 2')).toBe(true);
      const otto = await person(bench, OTTO.alias);
      await good(otto('POST', 'groups', { name: 'Stock' }));
    });

    it.each<[string, unknown, object]>([
      ['no name', {}, { status: 400, code: 'BadRequest', target: 'name' }],
      ['an empty name', { name: '  ' }, { status: 400, code: 'BadRequest', target: 'name' }],
      ['a long name', { name: 'n'.repeat(257) }, { status: 400, code: 'BadRequest', target: 'name' }],
      ['a name that is a number', { name: 5 }, { status: 400, code: 'BadRequest', target: 'name' }],
      ['another property', { name: 'a', nam: 'b' }, { status: 400, code: 'BadRequest', target: 'nam' }],
    ])('is not created with %s', async (_, body, expected) => {
      expect(mistake(await ada('POST', 'groups', body))).toMatchObject(expected);
      expect(await names()).toEqual([]);
    });

    it('changes nothing but the name on a shared capacity', async () => {
      const id = await make('Sales');
      const large = await ada('PATCH', `groups/${id}`, { name: 'Other', defaultDatasetStorageFormat: 'Large' });
      expect(outcome(large)).toEqual({ status: 400, code: 'InvalidRequest' });
      expect(mistake(await ada('PATCH', `groups/${id}`, { defaultDatasetStorageFormat: 'Huge' }))).toMatchObject({
        target: 'defaultDatasetStorageFormat',
      });
      expect(await names()).toEqual(['Sales']);
    });

    it('goes with everything in it, and can be made again', async () => {
      const id = await make('Sales');
      const kept = await make('Stock');
      const create = (group: string, name: string) =>
        good(ada('POST', `groups/${group}/datasets`, { name, tables: [{ ...PLAIN, rows: somewhat(3) }] }));
      for (let i = 0; i < 12; i++) await create(id, `d${i}`);
      const { id: other } = await create(kept, 'other');
      const { store } = probe.jar;
      const storages = (await store.query(datasets, { limit: 100 })).items.flatMap(
        ({ value: { tables, workspace } }) => (workspace === id ? tables.map(({ storage }) => storage) : []),
      );
      expect(storages).toHaveLength(12);
      const [{ id: shared }] = (await good(ada('GET', `groups/${id}/datasets`))).value;
      expect(await ada('DELETE', `groups/${id}`)).toMatchObject({ status: 200, text: '' });
      // At once, independently of the due work.
      for (const path of [`groups/${id}`, `groups/${id}/datasets`, `groups/${id}/users`, `datasets/${shared}`])
        expect(outcome(await ada('GET', path))).toEqual(NOT_FOUND);
      expect(outcome(await ada('DELETE', `groups/${id}`))).toEqual(NOT_FOUND);
      await bench.jar.settled();
      for (const storage of storages) expect(await store.tables.definition(storage)).toBeUndefined();
      expect(await store.count(datasets)).toBe(1);
      expect(await store.count(tableStates)).toBe(1);
      expect(await good(ada('GET', `groups/${kept}/datasets/${other}`))).toMatchObject({ name: 'other' });
      expect((await good(ada('GET', `groups/${await make('Sales')}/datasets`))).value).toEqual([]);
    });

    it('keeps one of two administrators who remove each other', async () => {
      const users = `groups/${await make('Sales')}/users`;
      await good(ada('POST', users, asUser(LIN.address, 'Admin')));
      const lin = await person(bench, LIN.alias);
      const both = [ada('DELETE', `${users}/${LIN.address}`), lin('DELETE', `${users}/${ADA.address}`)];
      const statuses = (await Promise.all(both)).map(({ status }) => status);
      expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    });

    it('is deleted and renamed by administrators only', async () => {
      const id = await make('Sales');
      const lin = await person(bench, LIN.alias);
      for (const right of ['Viewer', 'Contributor', 'Member']) {
        const method = right === 'Viewer' ? 'POST' : 'PUT';
        await good(ada(method, `groups/${id}/users`, asUser(LIN.address, right)));
        expect(outcome(await lin('DELETE', `groups/${id}`))).toEqual(FORBIDDEN);
        expect(outcome(await lin('PATCH', `groups/${id}`, { name: 'Mine' }))).toEqual(FORBIDDEN);
      }
      await good(ada('PUT', `groups/${id}/users`, asUser(LIN.address, 'Admin')));
      await good(lin('PATCH', `groups/${id}`, { name: 'Mine' }));
      await good(lin('DELETE', `groups/${id}`));
    });
  },
  { services: [...SERVICES, probe.service] },
);
