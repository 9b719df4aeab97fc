import { beforeAll, describe, expect, it } from 'vitest';
import { standardModel } from '../../../../src/services/business/model/model.ts';
import type { Bench } from '../../../support/jars.ts';
import { onBothStores, withJar } from '../benches.ts';
import { type Books, errorOf, openBooks } from '../support.ts';
import { type EdmEntityType, type Edmx, readEdmx } from './edmx.ts';

const companySets = (route: string) =>
  standardModel
    .api(route)!
    .pages.slice(2)
    .map(({ set }) => ({ set }));

type Shown = Record<string, unknown>;

describe.each(['v1.0', 'v2.0'])('what $metadata of %s says', (route) => {
  withJar((bench) => {
    let books: Books;
    let edmx: Edmx;
    beforeAll(async () => {
      books = await openBooks(bench, route);
      edmx = readEdmx((await bench.call('GET', `/api/${route}/$metadata`)).text);
    });

    it.each(companySets(route))('$set are served with the properties it names, in their types', async ({ set }) => {
      const type = typeOf(edmx, set);
      const { status, body } = await books.get(`${set}?$top=3`);
      expect(status).toBe(200);
      for (const row of body.value as Shown[]) {
        const names = Object.keys(row).filter((name) => !name.includes('@') && !Array.isArray(row[name]));
        const kept = type.properties.filter((property) => property.type !== 'Edm.Stream' && !isList(property.type));
        expect(names.sort()).toEqual(kept.map(({ name }) => name).sort());
        for (const property of kept) expect(isOfType(row[property.name], property.type), property.name).toBe(true);
      }
    });

    it.each(companySets(route))('$set lead where it says, to one record or to many', async ({ set }) => {
      const { navigations, properties } = typeOf(edmx, set);
      const expand = navigations.map(({ name }) => name).join(',');
      const { status, body } = await books.get(`${set}?$top=3${expand && `&$expand=${expand}`}`);
      expect(status).toBe(200);
      const many = [...properties, ...navigations].filter(({ type }) => isList(type)).map(({ name }) => name);
      for (const row of body.value as Shown[]) {
        expect(Object.keys(row)).toEqual(expect.arrayContaining(navigations.map(({ name }) => name)));
        const lists = Object.keys(row).filter((name) => Array.isArray(row[name]));
        expect(lists.sort()).toEqual(many.sort());
      }
    });

    it.each(companySets(route))('$set are below the companies too', async ({ set }) => {
      const { status, body } = await bench.call('GET', `/api/${route}/companies?$expand=${set}($top=2)&$select=id`);
      expect(status).toBe(200);
      const here = (await books.get(`${set}?$top=2`)).body.value as Shown[];
      expect(body.value[0][set].length).toBeGreaterThanOrEqual(here.length);
    });

    it('matches the service document and the captions', async () => {
      const { body: root } = await bench.call('GET', `/api/${route}/`);
      expect(root.value.map(({ url }: { url: string }) => url)).toEqual([...edmx.sets.keys()]);
      const { body: definitions } = await bench.call('GET', `/api/${route}/entityDefinitions`);
      expect(definitions.value.map((one: Shown) => one.entitySetName)).toEqual([...edmx.sets.keys()]);
    });
  });
});

const typeOf = (edmx: Edmx, set: string): EdmEntityType => edmx.entityTypes.get(edmx.sets.get(set)!.entityType)!;

const isList = (type: string): boolean => type.startsWith('Collection(');

const TYPES: Readonly<Record<string, (value: unknown) => boolean>> = {
  'Edm.Guid': (value) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(String(value)),
  'Edm.String': (value) => typeof value === 'string',
  'Edm.Boolean': (value) => typeof value === 'boolean',
  'Edm.Decimal': (value) => typeof value === 'number',
  'Edm.Int32': (value) => Number.isInteger(value),
  'Edm.Int64': (value) => Number.isInteger(value),
  'Edm.Date': (value) => /^\d{4}-\d\d-\d\d$/.test(String(value)),
  'Edm.DateTimeOffset': (value) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(String(value)),
};

/** Enumeration members are texts, and complex properties are objects. */
function isOfType(value: unknown, type: string): boolean {
  if (type.startsWith('Edm.')) return TYPES[type]!(value);
  return type.endsWith('Type') && typeof value === 'object' ? value !== null : typeof value === 'string';
}

const customApis = [
  {
    publisher: 'contoso',
    group: 'fleet',
    version: 'v1.0',
    entities: [
      {
        entityName: 'vehicle',
        entitySetName: 'vehicles',
        table: {
          number: 50100,
          key: 'plate',
          fields: {
            plate: { type: 'string', maxLength: 10, code: true },
            mileage: 'decimal',
            state: { members: ['In use', 'Sold'], initial: 'In use' },
            driverId: 'guid',
          },
        },
        navigations: [
          { name: 'driver', set: 'drivers', on: { id: 'driverId' } },
          { name: 'trips', set: 'trips', many: true, on: { vehicleId: 'id' } },
        ],
      },
      {
        entityName: 'trip',
        entitySetName: 'trips',
        table: {
          number: 50101,
          partOf: { table: 'vehicle', by: 'vehicleId' },
          fields: { vehicleId: 'guid', kilometres: 'decimal' },
        },
      },
      {
        entityName: 'driver',
        entitySetName: 'drivers',
        sourceTable: 'employee',
        properties: ['id', 'number', { name: 'fullName', field: 'displayName' }, 'surname', 'lastModifiedDateTime'],
        verbs: ['GET', 'POST'],
      },
    ],
  },
];

onBothStores('an API that the configuration declares', tellOfCustomApi, { settings: { business: { customApis } } });

function tellOfCustomApi(bench: Bench): void {
  it('keeps records of its own, with their lines, at its own address', async () => {
    const fleet = await openBooks(bench, 'contoso/fleet/v1.0');
    const vehicle = await fleet.make('vehicles', {
      plate: ' ab 12 ',
      trips: [{ kilometres: 12.5 }, { kilometres: 3 }],
    });
    expect(vehicle).toMatchObject({ plate: 'AB 12', mileage: 0, state: 'In_x0020_use' });
    const shown = await fleet.get(`vehicles(${vehicle.id})?$expand=trips($orderby=kilometres),driver`);
    expect(shown.body).toMatchObject({ trips: [{ kilometres: 3 }, { kilometres: 12.5 }], driver: null });
    const found = await fleet.get("vehicles?$filter=state eq 'In use' and mileage lt 1");
    expect(found.body.value).toHaveLength(1);
    expect(errorOf(await fleet.post('vehicles', { plate: 'AB 12' }))).toMatchObject({
      status: 409,
      code: 'Internal_EntityWithSameKeyExists',
    });
    expect((await fleet.delete(`vehicles(${vehicle.id})`)).status).toBe(204);
    expect((await fleet.get('trips')).body.value).toEqual([]);
  });

  it('shows records of the application, which are the same for all APIs', async () => {
    const fleet = await openBooks(bench, 'contoso/fleet/v1.0');
    const driver = await fleet.make('drivers', { surname: 'Ahlgren' });
    const employees = await openBooks(bench);
    expect((await employees.get(`employees(${driver.id})`)).body).toMatchObject({
      surname: 'Ahlgren',
      number: driver.number,
    });
    expect(errorOf(await fleet.delete(`drivers(${driver.id})`))).toMatchObject({
      status: 405,
      code: 'BadRequest_MethodNotAllowed',
    });
  });

  it('describes itself', async () => {
    const { text } = await bench.call('GET', '/api/contoso/fleet/v1.0/$metadata');
    expect([...readEdmx(text).sets.keys()]).toEqual(['companies', 'subscriptions', 'vehicles', 'trips', 'drivers']);
    expect(errorOf(await bench.call('GET', '/api/contoso/other/v1.0/$metadata')).status).toBe(404);
  });
}
