import { describe, expect, it } from 'vitest';
import { wireMember } from '../../../../src/services/business/model/enum-text.ts';
import { metadataDocument } from '../../../../src/services/business/model/metadata.ts';
import { standardModel } from '../../../../src/services/business/model/model.ts';
import { type EdmEntityType, type Edmx, readEdmx } from './edmx.ts';
import { ENTITIES, ENUMS, type KnownEntity, OBJECTS } from './facts-tables.ts';

const metadataOf = (route: string): Edmx => readEdmx(metadataDocument(standardModel, standardModel.api(route)!));

const v1 = metadataOf('v1.0');
const v2 = metadataOf('v2.0');

const EDM: Readonly<Record<string, string>> = {
  G: 'Edm.Guid',
  S: 'Edm.String',
  B: 'Edm.Boolean',
  D: 'Edm.Decimal',
  I: 'Edm.Int32',
  L: 'Edm.Int64',
  d: 'Edm.Date',
  T: 'Edm.DateTimeOffset',
  X: 'Edm.Stream',
};

interface KnownField {
  readonly name: string;
  /** For an enumeration: its name, or undefined if any is accepted. */
  readonly type: string | { readonly enumeration: string | undefined };
  readonly length: number | undefined;
  readonly readOnly: boolean;
}

const words = (list = ''): readonly string[] =>
  list
    .split(',')
    .map((word) => word.trim())
    .filter(Boolean);

const knownFields = ({ fields, undated }: KnownEntity): readonly KnownField[] =>
  words(`id G, ${fields}${undated ? '' : ', lastModifiedDateTime T!'}`).map((written) => {
    const [, name, letter, length, enumeration, mark] = /^(\w+) (\w)(\d*)(?:\((\w+)\))?(!?)$/.exec(written)!;
    return {
      name: name!,
      type: letter === 'E' ? { enumeration } : EDM[letter!]!,
      length: length ? Number(length) : undefined,
      readOnly: mark === '!',
    };
  });

const WRITES = { all: ['POST', 'PATCH', 'DELETE'], none: [], PATCH: ['PATCH'] } as const;

const typeOf = (edmx: Edmx, set: string): EdmEntityType => edmx.entityTypes.get(edmx.sets.get(set)!.entityType)!;

const entities = Object.entries(ENTITIES).map(([set, entity]) => ({ set, entity }));

describe('v2.0 matches what is known of the real service', () => {
  it.each(entities)('$set has the fields, in type, length and whether they can be written', ({ set, entity }) => {
    const { properties } = typeOf(v2, set);
    const known = knownFields(entity);
    expect(properties.map(({ name }) => name).sort()).toEqual(known.map(({ name }) => name).sort());
    for (const { name, type, length, readOnly } of known) {
      const property = properties.find((candidate) => candidate.name === name)!;
      const named = typeof type === 'string' ? type : `Microsoft\\.NAV\\.${type.enumeration ?? '\\w+'}`;
      expect(property.type, name).toMatch(new RegExp(`^${named}$`));
      expect(property, name).toMatchObject({
        ...(length !== undefined && { maxLength: length }),
        ...(readOnly && { computed: true }),
      });
    }
  });

  it.each(entities)('$set has the same verbs and actions as the real service', ({ set, entity }) => {
    expect(v2.sets.get(set)!.writes).toEqual(WRITES[entity.writes]);
    expect(typeOf(v2, set).actions).toEqual(words(entity.actions));
    expect(typeOf(v2, set).key).toEqual(['id']);
  });

  it.each(entities.filter(({ entity }) => entity.navigations !== undefined))(
    '$set leads where it should, to one or to many',
    ({ set, entity }) => {
      const found = typeOf(v2, set).navigations.map(({ name, type }) =>
        type.startsWith('Collection(') ? `${name}*` : name,
      );
      expect([...found].sort()).toEqual([...words(entity.navigations)].sort());
    },
  );

  it.each(Object.entries(ENUMS))('%s has its members in order, escaped', (name, members) => {
    expect(v2.enums.get(name)).toEqual(members.map(wireMember));
  });

  it('has subscriptions with all of their fields', () => {
    expect(typeOf(v2, 'subscriptions')).toMatchObject({ key: ['subscriptionId'] });
    expect(typeOf(v2, 'subscriptions').properties.map(({ name, type }) => `${name} ${type}`)).toEqual([
      'subscriptionId Edm.String',
      'notificationUrl Edm.String',
      'resource Edm.String',
      'timestamp Edm.Int64',
      'userId Edm.Guid',
      'lastModifiedDateTime Edm.DateTimeOffset',
      'clientState Edm.String',
      'expirationDateTime Edm.DateTimeOffset',
      'systemCreatedAt Edm.DateTimeOffset',
      'systemCreatedBy Edm.Guid',
      'systemModifiedAt Edm.DateTimeOffset',
      'systemModifiedBy Edm.Guid',
    ]);
  });
});

describe('v1.0 is v2.0 with the known differences', () => {
  const OLDER: Readonly<Record<string, string>> = { dimensionSetLines: 'dimensionLines' };
  const OLDER_NAVIGATIONS: Readonly<Record<string, string>> = {
    ...OLDER,
    customerFinancialDetail: 'customerFinancialDetails',
  };
  const NEWER_FIELDS = /^(timestamp|system(Created|Modified)(At|By))$/;
  const DIMENSIONS = ['journalLines', 'generalLedgerEntries'];
  const isLine = (set: string): boolean => ENTITIES[set]!.fields.startsWith('documentId');

  it.each(entities)(
    '$set has its fields, objects in the place of flat ones, and options as strings',
    ({ set, entity }) => {
      const objects = OBJECTS[set] ?? [];
      const flat = knownFields(entity).filter(
        ({ name }) =>
          !objects.some(({ instead }) => instead.test(name)) && !NEWER_FIELDS.test(name) && name !== 'entryNumber',
      );
      const { properties } = typeOf(v1, OLDER[set] ?? set);
      const dimensions = DIMENSIONS.includes(set) ? ['dimensions'] : [];
      expect(properties.map(({ name }) => name).sort()).toEqual(
        [...flat.map(({ name }) => name), ...objects.map(({ name }) => name), ...dimensions].sort(),
      );
      for (const { name, type } of flat.filter((field) => field.name !== 'id')) {
        const property = properties.find((candidate) => candidate.name === name)!;
        expect(property.type, name).toBe(typeof type === 'string' ? type : 'Edm.String');
      }
      for (const { name, parts } of objects) {
        const type = properties.find((candidate) => candidate.name === name)!.type.replace('Microsoft.NAV.', '');
        expect(v1.complexTypes.get(type)?.map((part) => part.name)).toEqual(words(parts));
      }
    },
  );

  it('has no enumerations', () => {
    expect([...v1.enums]).toEqual([]);
  });

  it.each(entities.filter(({ set }) => isLine(set)))('$set are known by a text of 50', ({ set }) => {
    expect(typeOf(v1, set).properties[0]).toMatchObject({
      name: 'id',
      type: 'Edm.String',
      maxLength: 50,
      nullable: false,
    });
  });

  it('identifies ledger entries by a number', () => {
    expect(typeOf(v1, 'generalLedgerEntries').properties[0]).toMatchObject({ name: 'id', type: 'Edm.Int32' });
  });

  it('shows the dimensions of journal lines and of ledger entries as lists of values', () => {
    for (const set of DIMENSIONS) {
      const dimensions = typeOf(v1, set).properties.find(({ name }) => name === 'dimensions');
      expect(dimensions?.type).toBe('Collection(Microsoft.NAV.dimensionType)');
    }
    expect(v1.complexTypes.get('dimensionType')?.map(({ name }) => name)).toEqual([
      'code',
      'displayName',
      'valueCode',
      'valueDisplayName',
    ]);
  });

  it.each(entities.filter(({ entity }) => entity.navigations !== undefined))(
    'gives lists wherever $set lead to',
    ({ set, entity }) => {
      const { navigations } = typeOf(v1, set);
      const names = words(entity.navigations)
        .map((name) => name.replace('*', ''))
        .filter((name) => !(isLine(set) && name === 'unitOfMeasure'))
        .map((name) => OLDER_NAVIGATIONS[name] ?? name);
      expect(navigations.map(({ name }) => name).sort()).toEqual([...names].sort());
      for (const { type } of navigations) expect(type).toMatch(/^Collection\(Microsoft\.NAV\.\w+\)$/);
    },
  );

  it.each(entities)('$set has the same verbs and actions as in v2.0', ({ set, entity }) => {
    expect(v1.sets.get(OLDER[set] ?? set)!.writes).toEqual(WRITES[entity.writes]);
    expect(typeOf(v1, OLDER[set] ?? set).actions).toEqual(words(entity.actions));
  });
});
