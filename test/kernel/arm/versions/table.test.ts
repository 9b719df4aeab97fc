import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ProviderVersions, type VersionRow } from '../../../../src/kernel/arm/versions/table.ts';
import type { VersionView } from '../../../../src/kernel/arm/versions/view.ts';

const ROWS: readonly VersionRow[] = [
  { version: '2020-01-01', adds: { required: { bells: ['properties.rope'] } } },
  {
    version: '2021-01-01-preview',
    adds: {
      types: ['towers'],
      operations: ['Bells_Ring'],
      fields: { bells: ['zones', 'properties.parts[].weight', 'properties.experiment'] },
      words: { bells: { 'properties.sound': ['Dong'] } },
    },
    drops: { required: { bells: ['properties.rope'] } },
  },
  {
    version: '2022-01-01',
    as: '2020-01-01',
    adds: { types: ['towers'], fields: { bells: ['zones'] } },
    shows: { bells: ['properties.parts[].weight'] },
  },
  {
    version: '2023-01-01-preview',
    as: '2021-01-01-preview',
    spells: { bells: { 'properties.sound': { Dong: 'dooong' } } },
  },
];

const versions = new ProviderVersions(ROWS, { like: { gongs: 'bells' } });
const viewOf = (version: string, type = 'bells'): VersionView => versions.of(type).find(version) as VersionView;

const BELL = {
  name: 'noon',
  zones: ['1'],
  properties: { sound: 'Dong', experiment: true, parts: [{ name: 'a', weight: 1 }, { name: 'b' }] },
};

describe('a table of api-versions', () => {
  it('lists the versions of a type and of an operation, newest first', () => {
    expect(versions.of('bells').names).toEqual([
      '2023-01-01-preview',
      '2022-01-01',
      '2021-01-01-preview',
      '2020-01-01',
    ]);
    expect(versions.of('towers').names).toEqual(['2023-01-01-preview', '2022-01-01', '2021-01-01-preview']);
    expect(versions.of('bells', 'Bells_Ring').names).toEqual(['2023-01-01-preview', '2021-01-01-preview']);
    expect(versions.of('bells').find('2021-01-01-PREVIEW')?.version).toBe('2021-01-01-preview');
    expect(versions.of('bells').find('2021-01-01')).toBeUndefined();
  });

  it('lists a version that few types have only for these', () => {
    const rare = new ProviderVersions([{ version: '1' }, { version: '2', only: ['ropes'] }, { version: '3' }]);
    expect(rare.of('bells').names).toEqual(['3', '1']);
    expect(rare.of('ropes').names).toEqual(['3', '2', '1']);
    expect(rare.of('bells').find('2')).toBeUndefined();
  });

  it('shows what a version has, in nested lists too, and what was observed beyond it', () => {
    expect(viewOf('2020-01-01').show(BELL, 'one')).toEqual({
      name: 'noon',
      properties: { sound: 'Dong', parts: [{ name: 'a' }, { name: 'b' }] },
    });
    expect(viewOf('2022-01-01').show(BELL, 'one')).toEqual({
      name: 'noon',
      zones: ['1'],
      properties: { sound: 'Dong', parts: BELL.properties.parts },
    });
    expect(viewOf('2020-01-01').show({ value: [BELL], nextLink: 'x' }, 'list')).toEqual({
      value: [viewOf('2020-01-01').show(BELL, 'one')],
      nextLink: 'x',
    });
    expect(viewOf('2020-01-01', 'gongs').show(BELL, 'one')).toEqual(viewOf('2020-01-01').show(BELL, 'one'));
  });

  it('copies nothing if a version shows everything', () => {
    expect(viewOf('2021-01-01-preview').isPartial).toBe(false);
    expect(viewOf('2021-01-01-preview').show(BELL, 'one')).toBe(BELL);
    const plain = { name: 'noon', properties: { parts: [{ name: 'a' }] } };
    expect(viewOf('2020-01-01').show(plain, 'one')).toBe(plain);
  });

  it('writes words as a version does', () => {
    expect(viewOf('2023-01-01-preview').show(BELL, 'one')).toMatchObject({ properties: { sound: 'dooong' } });
  });

  it('ignores in requests what a version does not have, in any case, even where answers show it', () => {
    const sent = { Zones: ['1'], PROPERTIES: { Parts: [{ name: 'a', WEIGHT: 2 }], rope: 'r' } };
    expect(viewOf('2022-01-01').accept(sent)).toEqual({
      Zones: ['1'],
      PROPERTIES: { Parts: [{ name: 'a' }], rope: 'r' },
    });
    expect(viewOf('2020-01-01').accept({ experiment: 1, zones: 1, rope: 'r' }, true)).toEqual({ rope: 'r' });
    expect(viewOf('2021-01-01-preview').accept(sent)).toBe(sent);
    const hostile: unknown = JSON.parse('{"__proto__":{"zones":1},"zones":1}');
    expect(JSON.stringify(viewOf('2020-01-01').accept(hostile))).toBe('{"__proto__":{"zones":1}}');
  });

  it('keeps in a change what a version does not have', () => {
    const known = { a: 1, weight: 2 };
    const nested = new ProviderVersions([
      { version: '1' },
      { version: '2', adds: { fields: { bells: ['properties.size.weight', 'properties.size.more.deep'] } } },
    ]);
    const old = nested.of('bells').find('1') as VersionView;
    expect(old.keepUnread('size', { a: 2 }, known)).toEqual({ a: 2, weight: 2 });
    expect(old.keepUnread('Size', { More: { x: 1 } }, { more: { deep: 1, y: 2 } })).toEqual({
      More: { x: 1, deep: 1 },
    });
    expect(old.keepUnread('size', 'text', known)).toBe('text');
    expect(nested.of('bells').find('2')?.keepUnread('size', { a: 2 }, known)).toEqual({ a: 2 });
  });

  it('skips lists in lists, which may be nested deeper than the stack allows', () => {
    const parts: unknown = JSON.parse(`${'['.repeat(200_000)}${']'.repeat(200_000)}`);
    const sent = { properties: { parts, experiment: 1 } };
    const read = viewOf('2020-01-01').accept(sent) as { readonly properties: { readonly parts: unknown } };
    expect(Object.keys(read.properties)).toEqual(['parts']);
    expect(read.properties.parts === parts).toBe(true);
  });

  it('refuses a row that follows none', () => {
    const broken = new ProviderVersions([{ version: '2020-01-01', as: '2019-01-01' }]);
    expect(() => broken.of('bells').names).toThrow('follows 2019-01-01');
  });
});

describe('any table', () => {
  const NAMES = ['a', 'b', 'c', 'd'];
  const path = fc.array(fc.constantFrom(...NAMES), { minLength: 1, maxLength: 3 }).map((names) => names.join('.'));
  const change = fc.record({ fields: fc.record({ bells: fc.array(path, { maxLength: 4 }) }) });
  const rows = fc
    .array(fc.record({ adds: change, drops: change, as: fc.nat() }), { minLength: 1, maxLength: 6 })
    .map((list) =>
      list.map(
        ({ as, ...row }, i): VersionRow => ({ ...row, version: String(i), ...(i > 0 && { as: String(as % i) }) }),
      ),
    );
  const { value: anything } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      fc.integer(),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom(...NAMES), tie('value')),
    ),
  }));

  /** Computed from the rows themselves: whether the version has a field. */
  const has = (table: readonly VersionRow[], at: number, field: string): boolean => {
    const { adds, drops, as } = table[at] as VersionRow;
    if (adds?.fields?.bells?.includes(field)) return true;
    if (drops?.fields?.bells?.includes(field)) return false;
    return as !== undefined && has(table, Number(as), field);
  };

  /** The value without members that some row names but the version lacks. */
  const expected = (value: unknown, isHidden: (field: string) => boolean, at: readonly string[] = []): unknown => {
    if (Array.isArray(value))
      return value.map((entry) => (Array.isArray(entry) ? entry : expected(entry, isHidden, at)));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).flatMap(([name, member]) => {
        const below = [...at, name];
        return isHidden(below.join('.')) ? [] : [[name, expected(member, isHidden, below)]];
      }),
    );
  };

  it('hides in each version exactly the fields that its rows do not give it, and leaves the value as it was', () => {
    fc.assert(
      fc.property(rows, anything, (table, value) => {
        const before = structuredClone(value);
        const provider = new ProviderVersions(table);
        const named = new Set(table.flatMap((_row, at) => NAMED(table).filter((field) => has(table, at, field))));
        for (const [at, { version }] of table.entries()) {
          const view = provider.of('bells').find(version) as VersionView;
          const isHidden = (field: string): boolean => named.has(field) && !has(table, at, field);
          expect(view.show(value, 'one')).toEqual(expected(value, isHidden));
          expect(view.accept(value)).toEqual(expected(value, isHidden));
        }
        expect(value).toEqual(before);
      }),
    );
  });
});

const NAMED = (table: readonly VersionRow[]): string[] => table.flatMap(({ adds }) => adds?.fields?.bells ?? []);
