import { describe, expect, it } from 'vitest';
import { type Config, ConfigError } from '../../../../src/kernel/config/config.ts';
import { findMistake } from '../../../../src/kernel/values/find-mistake.ts';
import { CustomApisSchema } from '../../../../src/services/business/model/custom/schema.ts';
import { modelFor } from '../../../../src/services/business/model/custom.ts';
import { entityDefinitions } from '../../../../src/services/business/model/entity-definitions.ts';
import { metadataDocument } from '../../../../src/services/business/model/metadata.ts';
import { standardModel } from '../../../../src/services/business/model/model.ts';
import { readEdmx } from './edmx.ts';

const configured = (customApis?: unknown): Config =>
  ({ services: customApis === undefined ? {} : { business: { customApis } } }) as unknown as Config;

const vehicle = {
  entityName: 'vehicle',
  entitySetName: 'vehicles',
  caption: 'Company car',
  table: {
    number: 50100,
    key: 'plate',
    fields: {
      description: { type: 'string', maxLength: 100, caption: 'What it is' },
      plate: { type: 'string', maxLength: 10, code: true },
      mileage: 'decimal',
      state: { members: ['In use', 'Sold'], initial: 'In use' },
      driverId: 'guid',
      electric: 'boolean',
    },
  },
  navigations: [
    { name: 'trips', set: 'trips', many: true, on: { vehicleId: 'id' } },
    { name: 'driver', set: 'drivers', on: { id: 'driverId' } },
  ],
};

const trip = {
  entityName: 'trip',
  entitySetName: 'trips',
  table: {
    number: 50101,
    partOf: { table: 'vehicle', by: 'vehicleId' },
    fields: { purpose: 'string', vehicleId: 'guid', startedAt: 'dateTime', kilometres: 'decimal' },
  },
};

const driver = {
  entityName: 'driver',
  entitySetName: 'drivers',
  sourceTable: 'employee',
  properties: ['id', 'number', { name: 'fullName', field: 'displayName' }, 'status', 'lastModifiedDateTime'],
  verbs: ['GET'],
};

const fleet = { publisher: 'contoso', group: 'fleet', version: 'v1.0', entities: [vehicle, trip, driver] };

const entity = (changes: object) => [{ ...fleet, entities: [{ ...vehicle, navigations: [], ...changes }] }];
const table = (changes: object) => entity({ table: { ...vehicle.table, ...changes } });
const field = (declared: unknown, name = 'extra') => table({ fields: { plate: 'string', [name]: declared } });
const navigation = (changes: object) => [
  { ...fleet, entities: [{ ...vehicle, navigations: [{ ...vehicle.navigations[1], ...changes }] }, trip, driver] },
];

describe('a custom API', () => {
  const config = configured([fleet]);
  const model = modelFor(config);
  const api = model.api('Contoso/Fleet/v1.0')!;

  it('is declared in a form that the settings accept', async () => {
    expect(await findMistake(CustomApisSchema, [fleet])).toBeUndefined();
  });

  it('is beside the standard ones, with companies and subscriptions of its own', () => {
    expect(model.apis.map(({ route }) => route)).toEqual(['v1.0', 'v2.0', 'contoso/fleet/v1.0']);
    expect(api.pages.map(({ set }) => set)).toEqual(['companies', 'subscriptions', 'vehicles', 'trips', 'drivers']);
  });

  it('belongs to one jar, and without declared APIs the model is the standard one', () => {
    const another = modelFor(config);
    expect(another).not.toBe(model);
    expect(another.apis.map(({ route }) => route)).toEqual(model.apis.map(({ route }) => route));
    expect(modelFor(configured())).toBe(standardModel);
    expect(modelFor(configured([]))).toBe(standardModel);
  });

  it('has tables whose key gets the first column, then fields of navigations, then the rest as long as columns are left', () => {
    expect(model.table('vehicle')).toMatchObject({
      number: 50100,
      caption: 'Company car',
      key: 'plate',
      slots: { plate: 't1', description: 't2', state: 't3', driverId: 't4', mileage: 'n1' },
    });
    expect(model.table('vehicle').fields.state).toEqual({
      type: { name: 'vehicleState', members: ['In use', 'Sold'] },
      initial: 'In use',
    });
    expect(model.table('trip').slots).toEqual({ vehicleId: 't1', purpose: 't2', startedAt: 'n1', kilometres: 'n2' });
    expect(model.linesOf('vehicle')).toMatchObject([{ table: 'trip', by: 'vehicleId' }]);
  });

  it('stores fields without a column too', () => {
    const fields = Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`note${index}`, 'string']));
    const { slots, fields: kept } = modelFor(configured(table({ key: undefined, fields }))).table('vehicle');
    expect(Object.keys(slots)).toHaveLength(8);
    expect(Object.keys(kept)).toHaveLength(12);
  });

  it('shows a table of the application under other names', () => {
    const drivers = model.page(api, 'drivers')!;
    expect(drivers).toMatchObject({ table: 'employee', verbs: ['GET'] });
    expect(drivers.properties).toContainEqual({ kind: 'field', name: 'fullName', field: 'displayName' });
    expect(model.pagesOf('employee').map((it) => it.api.route)).toEqual(['v1.0', 'v2.0', 'contoso/fleet/v1.0']);
  });

  it('is described by $metadata and in words', () => {
    const edmx = readEdmx(metadataDocument(model, api));
    const vehicles = edmx.entityTypes.get('vehicle')!;
    expect(vehicles.key).toEqual(['id']);
    expect(vehicles.properties.map(({ name, type }) => `${name} ${type}`)).toEqual([
      'id Edm.Guid',
      'description Edm.String',
      'plate Edm.String',
      'mileage Edm.Decimal',
      'state Microsoft.NAV.vehicleState',
      'driverId Edm.Guid',
      'electric Edm.Boolean',
      'lastModifiedDateTime Edm.DateTimeOffset',
    ]);
    expect(vehicles.navigations).toMatchObject([
      { name: 'trips', type: 'Collection(Microsoft.NAV.trip)' },
      { name: 'driver', type: 'Microsoft.NAV.driver', constraints: [['driverId', 'id']] },
    ]);
    expect(edmx.enums.get('vehicleState')).toEqual(['In_x0020_use', 'Sold']);
    expect(edmx.sets.get('drivers')?.writes).toEqual([]);
    const [words] = entityDefinitions(model, api).filter(({ entitySetName }) => entitySetName === 'vehicles');
    expect(words?.entityCaptions).toEqual([{ languageCode: 1033, caption: 'Company car' }]);
    expect(words?.properties[1]).toEqual({
      name: 'description',
      captions: [{ languageCode: 1033, caption: 'What it is' }],
    });
  });

  it('may have one table in several versions', () => {
    const later = {
      ...fleet,
      version: 'v2.0',
      entities: [{ ...driver, sourceTable: 'vehicle', properties: ['plate'] }],
    };
    const page = modelFor(configured([fleet, later])).api('contoso/fleet/v2.0')!.pages[2]!;
    expect(page.properties.map(({ name }) => name)).toEqual(['id', 'plate']);
  });

  it.each([
    ['plate', ' ab 1 ', { plate: 'AB 1' }],
    ['driverId', 'ABCDEF00-0000-4000-8000-000000000000', { driverId: 'abcdef00-0000-4000-8000-000000000000' }],
    ['mileage', '12', { mileage: 12 }],
    ['mileage', 'far', undefined],
    ['description', 'As is', { description: 'As is' }],
  ])('may have %s for its key', (key, text, values) => {
    const page = modelFor(configured(entity({ keyFields: [key] }))).api('contoso/fleet/v1.0')!.pages[2]!;
    expect(page.properties[0]!.name).toBe(key);
    expect(page.keyFields).toBeUndefined();
    expect(page.keyed!(text)).toEqual(values);
  });

  it.each([[['plate', 'state']], [[]]])('may say that its key is %j, which cannot be notified', (keyFields) => {
    const configuredModel = modelFor(configured(entity({ keyFields })));
    const api = configuredModel.api('contoso/fleet/v1.0')!;
    expect(api.pages[2]!.keyFields).toEqual(keyFields);
    expect(readEdmx(metadataDocument(configuredModel, api)).entityTypes.get('vehicle')!.key).toEqual(keyFields);
  });

  it('may be a query, a temporary table, a system table or the job queue', () => {
    const model = modelFor(
      configured([
        {
          ...fleet,
          entities: [
            { ...driver, query: true, verbs: undefined },
            { ...trip, table: { ...trip.table, partOf: undefined, temporary: true, number: 2_000_000_100 } },
            { entityName: 'job', entitySetName: 'jobs', sourceTable: 'jobQueueEntry' },
          ],
        },
      ]),
    );
    const [, , query] = model.api('contoso/fleet/v1.0')!.pages;
    expect(query).toMatchObject({ query: true, verbs: ['GET'] });
    expect(model.table('trip')).toMatchObject({ temporary: true, number: 2_000_000_100 });
    expect(model.table(model.page(model.api('contoso/fleet/v1.0')!, 'jobs')!.table).number).toBe(472);
  });
});

describe('a mistake in a custom API is reported with its place and its reason', () => {
  const at = 'services.business.customApis[0]';

  it.each(
    [
      [[{ ...fleet, publisher: 'con/toso' }], `${at}.publisher must be a name of letters, digits and underscores`],
      [[{ ...fleet, group: '2fast' }], `${at}.group must be a name`],
      [[{ ...fleet, version: '1' }], `${at}.version must be like "v1.0" or "beta", not "1"`],
      [[{ ...fleet, publisher: 'Vendor', group: 'runtime' }], `${at} cannot be "Vendor/runtime"`],
      [[{ ...fleet, publisher: 'microsoft', group: 'Runtime' }], `${at} cannot be "microsoft/Runtime"`],
      [
        [fleet, { ...fleet, publisher: 'CONTOSO', entities: [driver] }],
        'services.business.customApis[1] is taken: there is another API',
      ],
      [entity({ entityName: 'my vehicle' }), `${at}.entities[0].entityName must be a name`],
      [entity({ entitySetName: 'vehi-cles' }), `${at}.entities[0].entitySetName must be a name`],
      [entity({ entitySetName: 'Subscriptions' }), `${at}.entities[0].entitySetName is taken`],
      [
        [{ ...fleet, entities: [driver, { ...driver, entityName: 'other', entitySetName: 'DRIVERS' }] }],
        'entities[1].entitySetName is taken',
      ],
      [[{ ...fleet, entities: [driver, { ...driver, entitySetName: 'others' }] }], 'entities[1].entityName is taken'],
      [entity({ table: undefined }), `${at}.entities[0] must have either "sourceTable" or "table"`],
      [entity({ sourceTable: 'employee' }), `${at}.entities[0] must have either "sourceTable" or "table"`],
      [
        [{ ...fleet, entities: [{ ...driver, sourceTable: 'employe' }] }],
        'is no table that keeps records: "employe"; did you mean "employee"?',
      ],
      [[{ ...fleet, entities: [{ ...driver, sourceTable: 'trialBalance' }] }], 'is no table that keeps records'],
      [
        [{ ...fleet, entities: [{ ...driver, sourceTable: 'company', properties: ['storageKey'] }] }],
        'properties[0] is no field',
      ],
      [[{ ...fleet, entities: [{ ...driver, sourceTable: 'constructor' }] }], 'is no table that keeps records'],
      [
        [{ ...fleet, entities: [{ ...driver, properties: ['displayNam'] }] }],
        'properties[0] is no field of the table "employee": "displayNam"; did you mean "displayName"?',
      ],
      [
        [{ ...fleet, entities: [{ ...driver, properties: [{ name: 'made', field: 'constructor' }] }] }],
        'properties[0] is no field',
      ],
      [
        [{ ...fleet, entities: [{ ...driver, properties: ['number', { name: 'Number', field: 'id' }] }] }],
        'properties[1] is taken',
      ],
      [entity({ keyFields: ['colour'] }), 'keyFields[0] is no property of the entity: "colour"'],
      [
        entity({ keyFields: ['electric'] }),
        'keyFields[0] cannot be "electric": records of "vehicle" cannot be looked up by it',
      ],
      [
        [{ ...fleet, entities: [{ ...driver, properties: ['iban'], keyFields: ['iban'] }] }],
        'keyFields[0] cannot be "iban"',
      ],
      [entity({ query: true, verbs: ['GET', 'POST'] }), 'verbs of a query can be "GET" only'],
      ...['generalLedgerEntry', 'customerLedgerEntry', 'vendorLedgerEntry', 'company', 'subscription'].map(
        (sourceTable) => [
          [{ ...fleet, entities: [{ ...driver, sourceTable, properties: ['id'], verbs: ['GET', 'DELETE'] }] }],
          `verbs of the table "${sourceTable}" can be "GET" only`,
        ],
      ),
      [
        [
          {
            ...fleet,
            entities: [{ ...driver, sourceTable: 'companyInformation', properties: ['id'], verbs: ['POST'] }],
          },
        ],
        'verbs of the table "companyInformation" can be "GET" and "PATCH" only',
      ],
      [table({ name: 'Customer' }), `${at}.entities[0].table is taken: there is another table "Customer"`],
      [table({ name: 'a/b' }), `${at}.entities[0].table.name must be a name`],
      [table({ key: 'color' }), `${at}.entities[0].table.key is no field of the table: "color"`],
      [table({ key: 'mileage' }), 'table.key must be a text'],
      [table({ partOf: { table: 'vehicle', by: 'plate' } }), 'table.partOf.by must be a field of the type guid'],
      [table({ partOf: { table: 'garage', by: 'driverId' } }), 'table.partOf.table is no table: "garage"'],
      [field('string', 'two words'), 'table.fields.two words must be a name'],
      [field('string', 'ID'), 'table.fields.ID is taken'],
      [field('string', 'constructor'), 'table.fields.constructor cannot be "constructor", which every object has'],
      [field('string', '__proto__'), 'table.fields.__proto__ cannot be "__proto__", which every object has'],
      [field({ type: 'decimal', maxLength: 3 }), 'is not a string, so it cannot have "maxLength" or "code"'],
      [field({ type: 'string', members: ['a'] }), 'has a type and members'],
      [field({ members: ['a', 'A'] }), 'members[1] is taken'],
      [field({ members: ['a'], initial: 'b' }), 'initial does not fit the field: "b"'],
      [field({ type: 'int32', initial: 1.5 }), 'initial does not fit the field: 1.5'],
      [field({ type: 'int32', initial: 2 ** 31 }), 'initial does not fit the field'],
      [field({ type: 'date', initial: 'today' }), 'initial does not fit the field: "today"'],
      [field({ maxLength: 2, initial: 'long' }), 'initial does not fit the field: "long"'],
      [navigation({ set: 'garages' }), `${at}.entities[0].navigations[0].set is no set of the same API: "garages"`],
      [navigation({ name: 'Plate' }), 'navigations[0].name is taken: there is a property "Plate"'],
      [
        navigation({ on: { id: 'drivrId' } }),
        'navigations[0].on.id is no field of the table "vehicle": "drivrId"; did you mean "driverId"?',
      ],
      [navigation({ on: { ident: 'driverId' } }), 'navigations[0].on is no field of the table "employee": "ident"'],
      [navigation({ on: { iban: 'plate' } }), 'cannot use "iban"'],
      [navigation({ on: { id: { constant: 'x' } } }), 'navigations[0].on must name exactly one own field'],
      [
        [
          {
            ...fleet,
            entities: [
              { ...vehicle, navigations: [] },
              { ...driver, entityName: 'vehicleState' },
            ],
          },
        ],
        'has an entity "vehicleState", which is also the name of an enumeration',
      ],
    ].map(([customApis, message]) => ({ customApis, message: String(message) })),
  )('$message', ({ customApis, message }) => {
    expect(() => modelFor(configured(customApis))).toThrow(ConfigError);
    expect(() => modelFor(configured(customApis))).toThrow(message);
  });

  it.each([
    [{}, 'must be array'],
    [[{ publisher: 'a', group: 'b', version: 'v1.0', entities: [] }], 'entities'],
    [[{ ...fleet, colour: 'red' }], 'colour'],
    [field({ type: 'stream' }), 'extra'],
    [table({ number: 0 }), 'number'],
    [entity({ verbs: ['PUT'] }), 'verbs'],
  ])('in its form: %#', async (customApis, named) => {
    const mistake = await findMistake(CustomApisSchema, customApis);
    expect(`${mistake?.field} ${mistake?.reason}`).toContain(named);
  });
});
