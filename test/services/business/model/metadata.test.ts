import { describe, expect, it } from 'vitest';
import { entityDefinitions } from '../../../../src/services/business/model/entity-definitions.ts';
import { readMember, wireMember } from '../../../../src/services/business/model/enum-text.ts';
import { genJournalAccountType, itemType, vendorBlocked } from '../../../../src/services/business/model/enums.ts';
import { metadataDocument } from '../../../../src/services/business/model/metadata.ts';
import { standardModel as model } from '../../../../src/services/business/model/model.ts';
import { serviceDocument } from '../../../../src/services/business/model/service-document.ts';
import type { ComplexProperty } from '../../../../src/services/business/model/types.ts';
import { readEdmx } from './edmx.ts';

describe.each(model.apis.map((api) => ({ route: api.route, api })))('$metadata of $route', ({ api }) => {
  const xml = metadataDocument(model, api);
  const edmx = readEdmx(xml);
  const typeOf = (type: string): string => type.replace(/^Collection\((.*)\)$/, '$1');

  it('is a document of version 4.0 with one namespace', () => {
    expect(edmx).toMatchObject({ version: '4.0', namespace: 'Microsoft.NAV' });
    expect(xml).toContain('<EntityContainer Name="NAV">');
  });

  it('gives every type a name of its own', () => {
    expect(new Set(edmx.typeNames).size).toBe(edmx.typeNames.length);
  });

  it('refers only to types that it defines', () => {
    const defined = new Set(edmx.typeNames.map((name) => `Microsoft.NAV.${name}`));
    const named = [...edmx.entityTypes.values()]
      .flatMap(({ properties, navigations }) => [...properties, ...navigations])
      .map(({ type }) => typeOf(type))
      .filter((type) => !type.startsWith('Edm.'));
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((type) => !defined.has(type))).toEqual([]);
  });

  it('binds each navigation to the set of its type', () => {
    for (const set of edmx.sets.values()) {
      const { navigations } = edmx.entityTypes.get(set.entityType)!;
      expect([...set.bindings.keys()]).toEqual(navigations.map(({ name }) => name));
      for (const { name, type } of navigations) {
        expect(edmx.sets.get(set.bindings.get(name)!)?.entityType).toBe(typeOf(type).replace('Microsoft.NAV.', ''));
      }
    }
  });

  it('names partners that name each other', () => {
    const partners = [...edmx.entityTypes.values()].flatMap(({ name, navigations }) =>
      navigations.filter(({ partner }) => partner !== undefined).map((navigation) => ({ name, navigation })),
    );
    expect(partners.length).toBeGreaterThan(10);
    for (const { name, navigation } of partners) {
      const other = edmx.entityTypes.get(typeOf(navigation.type).replace('Microsoft.NAV.', ''))!;
      const back = other.navigations.find((candidate) => candidate.name === navigation.partner)!;
      expect(typeOf(back.type)).toBe(`Microsoft.NAV.${name}`);
      expect(back.partner).toBe(navigation.name);
    }
  });

  it('constrains properties to keys of the same type', () => {
    for (const { properties, navigations } of edmx.entityTypes.values()) {
      for (const { type, constraints } of navigations) {
        const other = edmx.entityTypes.get(typeOf(type).replace('Microsoft.NAV.', ''))!;
        for (const [dependent, referenced] of constraints) {
          expect(other.key).toEqual([referenced]);
          const own = properties.find(({ name }) => name === dependent);
          expect(own?.type).toBe(other.properties.find(({ name }) => name === referenced)?.type);
        }
      }
    }
  });

  it('has a key for every entity, which is never null', () => {
    for (const { key, properties } of edmx.entityTypes.values()) {
      expect(key).toHaveLength(1);
      expect(properties.find(({ name }) => name === key[0])).toMatchObject({ nullable: false });
    }
  });

  it('leads from a company to every set that companies have', () => {
    const reached = [...edmx.sets.get('companies')!.bindings.values()];
    expect([...edmx.sets.keys()]).toEqual(['companies', 'subscriptions', ...reached]);
  });

  it('has one complex type for objects that are alike on all pages', () => {
    const shapes = new Map<string, unknown>();
    const objects = api.pages.flatMap(({ table, properties }) =>
      properties
        .filter((shown): shown is ComplexProperty => shown.kind === 'complex')
        .map((shown) => ({ table, shown })),
    );
    for (const { table, shown } of objects) {
      const shape = shown.parts.map(({ name, field }) => [name, model.table(table).fields[field]?.maxLength]);
      expect(shapes.get(shown.typeName) ?? shape).toEqual(shape);
      shapes.set(shown.typeName, shape);
    }
  });

  it('is generated once', () => {
    expect(metadataDocument(model, api)).toBe(xml);
  });

  it('has the sets that the service document lists', () => {
    const document = serviceDocument(api, 'https://localhost:7443/api/x');
    expect(document['@odata.context']).toBe('https://localhost:7443/api/x/$metadata');
    expect(document.value).toEqual([...edmx.sets.keys()].map((name) => ({ name, kind: 'EntitySet', url: name })));
  });

  it('has the entities that entityDefinitions describes', () => {
    const definitions = entityDefinitions(model, api);
    expect(definitions.map(({ entitySetName }) => entitySetName)).toEqual([...edmx.sets.keys()]);
    for (const { entityName, properties, actions } of definitions) {
      const type = edmx.entityTypes.get(entityName)!;
      expect(properties.map(({ name }) => name)).toEqual(type.properties.map(({ name }) => name));
      expect(actions.map(({ name }) => name)).toEqual(type.actions);
    }
  });
});

it('entityDefinitions has captions for people', () => {
  const definitions = entityDefinitions(model, model.api('v2.0')!);
  const journals = definitions.find(({ entitySetName }) => entitySetName === 'journalLines')!;
  expect(journals).toMatchObject({
    entityName: 'journalLine',
    entityCaptions: [{ languageCode: 1033, caption: 'Journal Line' }],
    entitySetCaptions: [{ languageCode: 1033, caption: 'Journal Lines' }],
  });
  expect(journals.properties).toContainEqual({
    name: 'externalDocumentNumber',
    captions: [{ languageCode: 1033, caption: 'External Document Number' }],
  });
  expect(journals.enumMembers[0]).toEqual({
    enumName: 'genJournalAccountType',
    name: 'G_x002F_L_x0020_Account',
    value: 0,
    captions: [{ languageCode: 1033, caption: 'G/L Account' }],
  });
});

describe('members of enumerations', () => {
  it.each([
    [' ', '_x0020_'],
    ['Draft', 'Draft'],
    ['Credit Memo', 'Credit_x0020_Memo'],
    ['G/L Account', 'G_x002F_L_x0020_Account'],
    ['Non-Inventory', 'Non_x002D_Inventory'],
    ['1st', '_x0031_st'],
  ])('%j is %s on the wire', (member, wire) => {
    expect(wireMember(member)).toBe(wire);
  });

  it.each([
    [genJournalAccountType, 'G_x002F_L_x0020_Account', 'G/L Account'],
    [genJournalAccountType, 'G/L Account', 'G/L Account'],
    [genJournalAccountType, 'g_X002f_l_x0020_ACCOUNT', 'G/L Account'],
    [itemType, 'non-inventory', 'Non-Inventory'],
    [vendorBlocked, '_x0020_', ' '],
    [vendorBlocked, ' ', ' '],
    [vendorBlocked, '', ' '],
    [itemType, '', undefined],
    [vendorBlocked, 'Paymen', undefined],
    [vendorBlocked, 'constructor', undefined],
  ])('of %o are read from %j', (type, text, member) => {
    expect(readMember(type, text)).toBe(member);
  });
});
