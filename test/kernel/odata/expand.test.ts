import { describe, expect, it } from 'vitest';
import { ODataError } from '../../../src/kernel/odata/errors.ts';
import { type ExpandContext, expandInto, MOST_EXPANDED, type Navigation } from '../../../src/kernel/odata/expand.ts';
import { parseExpand, parseSelect } from '../../../src/kernel/odata/options.ts';
import { apiError, armBody, contextOf, odataBody, refusing } from '../../../src/kernel/odata/render.ts';
import { applySelect, checkSelect } from '../../../src/kernel/odata/select.ts';
import { type Sample, shape } from './samples.ts';

interface Document extends Sample {
  readonly key: string;
  readonly under?: string;
}

const DOCUMENTS: readonly Document[] = [
  { key: 'a', size: 1 },
  { key: 'b', size: 2 },
  { key: 'a1', under: 'a', size: 30, name: 'x' },
  { key: 'a2', under: 'a', size: 10, name: 'y' },
  { key: 'a3', under: 'a', name: 'z' },
  { key: 'b1', under: 'b', size: 5, name: 'x' },
  { key: 'a1i', under: 'a1', size: 7, name: 'deep' },
];

/** A tree whose documents can be expanded to children and parents. */
function tree(documents = DOCUMENTS) {
  const loads: string[] = [];
  const view = ({ key, size, name }: Document) => ({
    '@odata.etag': `W/"${key}"`,
    key,
    size: size ?? null,
    name: name ?? null,
  });
  const children: Navigation<Document, Document> = {
    name: 'children',
    many: true,
    shape,
    view,
    navigations: () => navigations,
    async load(parents) {
      loads.push(`children of ${parents.map(({ key }) => key).join()}`);
      return parents.map((parent) => documents.filter(({ under }) => under === parent.key));
    },
  };
  const parent: Navigation<Document, Document> = {
    name: 'parent',
    many: false,
    shape,
    view,
    always: ['key'],
    async load(all) {
      loads.push(`parents of ${all.map(({ key }) => key).join()}`);
      return all.map(({ under }) => documents.filter(({ key }) => key === under));
    },
  };
  const navigations = [children, parent] as readonly Navigation<unknown, unknown>[];
  return {
    loads,
    async expand(source: string, keys = ['a', 'b']) {
      const parents = documents.filter(({ key }) => keys.includes(key));
      const views: Record<string, unknown>[] = parents.map(({ key }) => ({ key }));
      const context: ExpandContext = { source, now: 0 };
      await expandInto(context, parents, views, parseExpand(source), [children, parent]);
      return views;
    },
  };
}

const keysOf = (views: unknown): unknown =>
  JSON.parse(JSON.stringify(views), (name, value) =>
    name === 'size' || name === 'name' || name.startsWith('@') ? undefined : value,
  );

describe('what a navigation says of its expansion', () => {
  const navigation: Navigation<Document, Document> = {
    name: 'children',
    many: true,
    shape,
    appliesTo: ({ key }) => key !== 'b',
    accept(options) {
      if (options.top === undefined) throw new Error('how many?');
      return { ...options, top: 1 };
    },
    load: async (parents, { top }) =>
      parents.map(({ key }) => DOCUMENTS.filter(({ under }) => under === key).slice(0, top)),
    view: ({ key }) => ({ key }),
  };

  const expand = async (source: string): Promise<Record<string, unknown>[]> => {
    const parents = DOCUMENTS.slice(0, 2);
    const views: Record<string, unknown>[] = parents.map(({ key }) => ({ key }));
    await expandInto({ source, now: 0 }, parents, views, parseExpand(source), [navigation]);
    return views;
  };

  it('it may change the options, which what loads the children gets too, and leave out parents of other types', async () => {
    expect(await expand('children($top=2)')).toEqual([{ key: 'a', children: [{ key: 'a1' }] }, { key: 'b' }]);
  });

  it('it may refuse them', async () => {
    await expect(expand('children')).rejects.toThrow('how many?');
  });
});

describe('$expand', () => {
  it('expands the related documents with one load per page', async () => {
    const { expand, loads } = tree();
    expect(keysOf(await expand('children'))).toEqual([
      { key: 'a', children: [{ key: 'a1' }, { key: 'a2' }, { key: 'a3' }] },
      { key: 'b', children: [{ key: 'b1' }] },
    ]);
    expect(loads).toEqual(['children of a,b']);
  });

  it('expands nested properties with one load per level', async () => {
    const { expand, loads } = tree();
    const [a, b] = await expand('Children($expand=children($select=name),parent)');
    expect(a).toMatchObject({ children: [{ key: 'a1', parent: { key: 'a' } }, { key: 'a2' }, { key: 'a3' }] });
    expect((a!.children as { children: unknown }[])[0]!.children).toEqual([{ '@odata.etag': 'W/"a1i"', name: 'deep' }]);
    expect(b).toMatchObject({ children: [{ key: 'b1', children: [], parent: { key: 'b' } }] });
    expect(loads).toEqual(['children of a,b', 'children of a1,a2,a3,b1', 'parents of a1,a2,a3,b1']);
  });

  it('filters, orders, counts, leaves out and cuts off for each document', async () => {
    const { expand } = tree();
    const keys = async (source: string) => {
      const views = await expand(source);
      return views.map(({ children, 'children@odata.count': count }) => [
        (children as { key: string }[]).map(({ key }) => key).join(),
        count,
      ]);
    };
    expect(await keys("children($filter=name ne 'y')")).toEqual([
      ['a1,a3', undefined],
      ['b1', undefined],
    ]);
    expect(await keys('children($orderby=size desc)')).toEqual([
      ['a1,a2,a3', undefined],
      ['b1', undefined],
    ]);
    expect(await keys('children($orderby=size)')).toEqual([
      ['a3,a2,a1', undefined],
      ['b1', undefined],
    ]);
    expect(await keys('children($count=true;$skip=1;$top=1)')).toEqual([
      ['a2', 3],
      ['', 1],
    ]);
  });

  it('shows selected members, ids and nested expansions', async () => {
    const { expand } = tree();
    const [view] = await expand('children($select=size;$expand=parent($select=name);$top=1)', ['a']);
    expect(view!.children).toEqual([
      { '@odata.etag': 'W/"a1"', size: 30, parent: { '@odata.etag': 'W/"a"', key: 'a', name: null } },
    ]);
  });

  it('goes down as many levels as asked', async () => {
    const { expand, loads } = tree();
    const [view] = await expand('children($levels=2;$top=1)', ['a']);
    expect(keysOf(view)).toEqual({ key: 'a', children: [{ key: 'a1', children: [{ key: 'a1i' }] }] });
    expect(loads).toHaveLength(2);
    await expand('children($levels=max)', ['a']);
    expect(loads.length).toBeLessThanOrEqual(2 + 6);
  });

  it('returns null if a single related document is missing, and expands everything for *', async () => {
    const { expand } = tree();
    expect(keysOf(await expand('*($top=0)', ['a']))).toEqual([{ key: 'a', children: [], parent: null }]);
  });

  it('uses the options of properties named beside *, and loads them once', async () => {
    const { expand, loads } = tree();
    expect(keysOf(await expand('*,children($top=0)', ['a']))).toEqual([{ key: 'a', children: [], parent: null }]);
    expect(loads.filter((load) => load.startsWith('children'))).toHaveLength(1);
  });

  it('refuses properties that cannot be expanded, filtered or selected, with the position', async () => {
    const { expand } = tree();
    const refused = async (source: string) => {
      const error = await expand(source).catch((thrown: unknown) => thrown);
      return error instanceof ODataError ? [error.code, error.option, error.position] : error;
    };
    expect(await refused('children,children($top=1)')).toEqual(['Syntax', '$expand', 9]);
    expect(await refused('children,nope')).toEqual(['UnknownProperty', '$expand', 9]);
    expect(await refused('children($expand=nope)')).toEqual(['UnknownProperty', '$expand', 17]);
    expect(await refused('children($filter=nope eq 1)')).toEqual(['UnknownProperty', '$expand', 17]);
    expect(await refused("children($filter=size eq 'x')")).toEqual(['TypeMismatch', '$expand', 22]);
    expect(await refused('children($select=nope)')).toEqual(['UnknownProperty', '$expand', 17]);
    expect(await refused('children($orderby=note)')).toEqual(['NotSupported', '$expand', 18]);
  });

  it('ends when it brings in too much', async () => {
    const circle = Array.from({ length: 60 }, (_, i) => ({ key: `c${i}`, under: 'c0' }));
    const documents = circle.map((each) => ({ ...each, key: 'c0' }));
    const error = await tree(documents)
      .expand('children($levels=max)', ['c0'])
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'TooComplex', message: expect.stringContaining(String(MOST_EXPANDED)) });
  });
});

describe('$select', () => {
  const view = {
    '@odata.etag': 'e',
    id: 1,
    name: 'n',
    place: { city: 'c', zip: 'z' },
    lines: [{ a: 1, b: 2 }],
    'lines@odata.count': 1,
  };
  it.each([
    ['name', { '@odata.etag': 'e', name: 'n' }],
    ['NAME,id', { '@odata.etag': 'e', id: 1, name: 'n' }],
    ['place/city', { '@odata.etag': 'e', place: { city: 'c' } }],
    ['place/city,place', { '@odata.etag': 'e', place: { city: 'c', zip: 'z' } }],
    ['lines/a', { '@odata.etag': 'e', lines: [{ a: 1 }], 'lines@odata.count': 1 }],
    ['name,*', view],
    ['toString', { '@odata.etag': 'e' }],
  ])('%s', (select, shown) => {
    expect(applySelect(view, parseSelect(select))).toEqual(shown);
  });

  it('keeps members that are always shown, and refuses unknown names', () => {
    expect(applySelect(view, parseSelect('name'), ['id'])).toEqual({ '@odata.etag': 'e', id: 1, name: 'n' });
    const check = (source: string) => checkSelect(shape, parseSelect(source), '$select', source);
    expect(() => check('name,*,place/city,children')).not.toThrow();
    expect(() => check('name, constructor')).toThrow(expect.objectContaining({ code: 'UnknownProperty', position: 6 }));
  });
});

describe('a page on the wire', () => {
  const call = { origin: 'https://jar.test', url: '/api/v2.0/customers?$top=5&%24SkipToken=old&x=1' };
  const next = 'https://jar.test/api/v2.0/customers?$top=5&x=1&%24skiptoken=new';

  it('looks like OData', () => {
    expect(odataBody(call, 'c', { value: [1] })).toEqual({ '@odata.context': 'c', value: [1] });
    expect(odataBody(call, 'c', { value: [], count: 0, skipToken: 'new' })).toEqual({
      '@odata.context': 'c',
      '@odata.count': 0,
      value: [],
      '@odata.nextLink': next,
    });
    expect(contextOf('https://jar.test/v1.0', 'me/messages', 'id, subject')).toBe(
      'https://jar.test/v1.0/$metadata#me/messages(id,subject)',
    );
  });

  it('or like the management API', () => {
    expect(armBody(call, { value: [1], skipToken: 'new' }, { extra: 1 })).toEqual({
      value: [1],
      extra: 1,
      nextLink: next,
    });
    expect(armBody(call, { value: [] })).toEqual({ value: [] });
  });

  it('and a mistake like the errors of its API', async () => {
    const placed = new ODataError('Syntax', '$filter', "expected a value at position 3, before 'x'", 3);
    expect(apiError(placed, 'BadRequest')).toMatchObject({
      status: 400,
      code: 'BadRequest',
      target: '$filter',
      message: "The '$filter' is not valid: expected a value at position 3, before 'x'.",
    });
    const fail = (error: Error) =>
      refusing(
        () => Promise.reject(error),
        ({ option }) => `Bad${option}`,
      );
    await expect(fail(new ODataError('InvalidValue', '$top', "'$top' must be"))).rejects.toMatchObject({
      code: 'Bad$top',
      message: "'$top' must be.",
    });
    await expect(fail(new RangeError('a bug'))).rejects.toBeInstanceOf(RangeError);
  });
});
