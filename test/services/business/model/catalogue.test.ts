import { describe, expect, it } from 'vitest';
import { standardModel as model } from '../../../../src/services/business/model/model.ts';
import { slotKindOf } from '../../../../src/services/business/model/slots.ts';
import { ALL_TABLES } from '../../../../src/services/business/model/tables/index.ts';
import { type Field, type Page, SYSTEM_FIELDS, type Table } from '../../../../src/services/business/model/types.ts';
import { fieldProperties } from '../../../../src/services/business/model/walk.ts';

const tables = ALL_TABLES.map((table) => ({ name: table.name, table }));
const pages = model.apis.flatMap((api) => api.pages.map((page) => ({ route: api.route, set: page.set, api, page })));

const fieldsOf = (table: Table): Readonly<Record<string, Field>> => ({ ...SYSTEM_FIELDS, ...table.fields });
const listed = (name: string | undefined): string[] => (name === undefined ? [] : [name]);
/** Members of a field that is an enumeration. */
const optionOf = (field: Field | undefined): { readonly members?: readonly unknown[] } =>
  typeof field?.type === 'object' ? field.type : {};
const targetOf = (route: string, set: string): Page => model.page(model.api(route)!, set)!;

describe('tables', () => {
  it('have names of their own', () => {
    expect(new Set(ALL_TABLES.map(({ name }) => name.toLowerCase())).size).toBe(ALL_TABLES.length);
  });

  it.each(tables)('$name keeps fields in columns that fit their type, each column once', ({ table }) => {
    for (const [name, slot] of Object.entries(table.slots)) {
      expect(table.fields[name], name).toBeDefined();
      expect(slotKindOf(table.fields[name]!), name).toBe(slot.startsWith('t') ? 'text' : 'number');
    }
    const slots = Object.values(table.slots);
    expect(new Set(slots).size).toBe(slots.length);
  });

  it.each(tables.filter(({ table }) => table.key !== undefined))('$name is ordered by its key', ({ table }) => {
    expect(table.slots[table.key!]).toBe('t1');
    expect(Object.keys(table.slots)).toEqual(expect.arrayContaining(listed(table.keyWithin)));
  });

  it.each(tables.filter(({ table }) => table.partOf))(
    '$name is ordered by what it is part of, then by a number',
    ({ table }) => {
      expect(model.table(table.partOf!.table)).toBeDefined();
      expect(table.slots[table.partOf!.by]).toBe('t1');
      expect(Object.values(table.slots)).toContain('n1');
      expect(model.linesOf(table.partOf!.table)).toContainEqual(
        expect.objectContaining({ table: table.name, by: table.partOf!.by }),
      );
    },
  );

  it.each(tables.filter(({ table }) => table.relations))('$name is related by fields that there are', ({ table }) => {
    for (const { to, id, code, copies = {}, within = {}, when = {} } of table.relations!) {
      const other = model.table(to);
      expect([id, code], 'a relation goes by something').not.toEqual([undefined, undefined]);
      for (const own of listed(id)) expect(table.fields[own]?.type, own).toBe('guid');
      for (const own of listed(code)) {
        expect(table.fields[own]?.type, own).toBe('string');
        expect(other.key, to).toBeDefined();
        expect(Object.keys(within)).toEqual(listed(other.keyWithin));
      }
      for (const [own, theirs] of Object.entries(copies)) {
        expect(fieldsOf(other)[theirs]?.type, theirs).toEqual(table.fields[own]?.type);
        expect(table.fields[own]?.maxLength ?? Infinity, own).toBeGreaterThanOrEqual(
          other.fields[theirs]?.maxLength ?? 0,
        );
      }
      for (const own of [...Object.values(within), ...Object.keys(when)]) expect(table.fields).toHaveProperty(own);
    }
  });

  it('have initial values that their fields can hold', () => {
    const options = tables.flatMap(({ name, table }) =>
      Object.entries(table.fields).flatMap(([field, { type, initial }]) =>
        typeof type === 'object' && initial !== undefined ? [{ where: `${name}.${field}`, type, initial }] : [],
      ),
    );
    expect(options.length).toBeGreaterThan(0);
    for (const { where, type, initial } of options) expect(type.members, where).toContain(initial);
  });
});

describe('pages', () => {
  it.each(pages)('$route/$set shows fields of its table', ({ page }) => {
    const table = model.table(page.table);
    for (const { name, field } of fieldProperties(page)) expect(fieldsOf(table), name).toHaveProperty(field);
    for (const field of Object.keys(page.where ?? {})) expect(table.fields).toHaveProperty(field);
    expect(Object.keys(table.slots)).toEqual(expect.arrayContaining(listed(page.unlessFiltered?.field)));
  });

  it.each(pages)('$route/$set has different names for what it shows and where it leads', ({ page }) => {
    const names = [...page.properties, ...page.navigations, ...(page.embedded ?? [])].map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names).not.toContain(page.entity);
  });

  it.each(pages)('$route/$set leads to pages, by fields that can be looked up', ({ route, page }) => {
    for (const { name, set, many, on } of page.navigations) {
      const target = targetOf(route, set);
      expect(target, name).toBeDefined();
      const theirs = model.table(target.table);
      for (const [field, own] of Object.entries(on)) {
        expect(fieldsOf(theirs), name).toHaveProperty(field);
        const constants = typeof own === 'string' ? [] : [own.constant];
        const { members = constants } = optionOf(theirs.fields[field]);
        expect(members, name).toEqual(expect.arrayContaining(constants));
        const fields = Object.keys(fieldsOf(model.table(page.table)));
        expect(fields, name).toEqual(expect.arrayContaining(typeof own === 'string' ? [own] : []));
        const found = field === 'id' || theirs.slots[field] !== undefined;
        expect(found || (!many && target.derived !== undefined), `${name} by ${field}`).toBe(true);
      }
    }
  });

  it.each(pages.filter(({ page }) => page.embedded))('$route/$set embeds what it leads to', ({ route, page }) => {
    for (const { navigation, properties } of page.embedded!) {
      const target = targetOf(route, page.navigations.find(({ name }) => name === navigation)!.set);
      const shown = target.properties.map(({ name }) => name);
      for (const name of properties) expect(shown).toContain(name);
    }
  });

  it('are the same sets in both versions but for the one that was renamed', () => {
    const [first, second] = model.apis.map(({ pages: shown }) => shown.map(({ set }) => set));
    expect(first!.map((set) => (set === 'dimensionLines' ? 'dimensionSetLines' : set))).toEqual(second);
  });

  it('are found without regard to case, and by their table', () => {
    const v2 = model.api('V2.0')!;
    expect(model.page(v2, 'CUSTOMERS')?.entity).toBe('customer');
    expect(model.page(v2, 'toString')).toBeUndefined();
    expect(model.api('v3.0')).toBeUndefined();
    expect(model.pagesOf('journal').map(({ api, page }) => `${api.route}/${page.set}`)).toEqual([
      'v1.0/journals',
      'v1.0/customerPaymentJournals',
      'v2.0/journals',
      'v2.0/customerPaymentJournals',
    ]);
    expect(() => model.table('nothing')).toThrow('no table "nothing"');
  });
});

describe('keys of v1.0', () => {
  const v1 = model.api('v1.0')!;
  const document = '2f9b7c1a-0000-4000-8000-0123456789ab';

  it('of a line are its document and its place in it', () => {
    const lines = model.page(v1, 'salesInvoiceLines')!;
    const [id] = lines.properties;
    const values: Record<string, string | number> = { documentId: document, sequence: 20000 };
    const key = id?.kind === 'computed' ? id.of((field) => values[field]!) : undefined;
    expect(key).toBe(`${document}-20000`);
    expect(lines.keyed!(String(key).toUpperCase())).toEqual(values);
  });

  it.each(['', document, `${document}-`, `${document}-x`, '20000', `x${document}-1`])('of a line are not %j', (key) => {
    expect(model.page(v1, 'salesInvoiceLines')!.keyed!(key)).toBeUndefined();
  });

  it('of a ledger entry are its number', () => {
    const { keyed } = model.page(v1, 'generalLedgerEntries')!;
    expect(keyed!('17')).toEqual({ entryNumber: 17 });
    expect(keyed!('17a')).toBeUndefined();
  });
});
