import { describe, expect, expectTypeOf, it } from 'vitest';
import {
  bodyFields,
  type DraftOf,
  immutableChanges,
  putSecrets,
  type ReadOptions,
  readBody,
  takeSecrets,
  type ValueOf,
  withDeclaredNames,
} from '../../../../src/kernel/arm/body/index.ts';
import { ProviderVersions } from '../../../../src/kernel/arm/versions/table.ts';
import { ApiError } from '../../../../src/kernel/http/errors.ts';

const { object, union, list, map, text, word, integer, int32, number, boolean, time, json, resourceId } = bodyFields<{
  readonly now: number;
}>();

const SUBSCRIPTION = '10000000-0000-4000-8000-000000000001';
const says = (code: string) => (spot: { readonly target: string }) =>
  new ApiError(400, code, `${code} at ${spot.target}`, { target: spot.target });

const SHARE = object({
  properties: object(
    {
      displayName: text({ required: true, pattern: /^[a-z ]+$/i, rule: 'it must be letters', aliases: ['title'] }),
      workload: word(['Production', 'DevTest'], { default: 'Production' }),
      account: resourceId('Vendor.DataShare/accounts', { immutable: true }),
      startTime: time(),
      hours: integer({ min: 1, max: 24 }),
      parts: int32(),
      ratio: number(),
      paused: boolean(),
      settings: json(),
      tags: map(text()),
      password: text({ secret: true }),
      keys: map(text(), { secret: true }),
      targets: list(
        union(
          'kind',
          { Blob: { path: text({ required: true }) }, Table: { rows: integer({ min: 1 }) } },
          { common: { name: text({ secret: true }) } },
        ),
        { max: 3 },
      ),
    },
    { implied: true },
  ),
});

const read = (body: unknown, options: Partial<ReadOptions<{ now: number }>> = {}) =>
  readBody(SHARE, body, { context: { now: 0 }, ...options });
const mistakesOf = (body: unknown, options: Partial<ReadOptions<{ now: number }>> = {}) =>
  read(body, options)
    .mistakes.errors()
    .map(({ target, message }) => [target, message.replace(/^The property '.*?' of the request body /, '')]);
const ofProperties = (properties: unknown) =>
  mistakesOf({ properties: { displayName: 'a', ...(properties as object) } });

describe('a body is read', () => {
  it('by names in any case and by their aliases, the declared name first', () => {
    expect(read({ PROPERTIES: { DisplayName: 'Mine', HOURS: 2 } }).value.properties).toMatchObject({
      displayName: 'Mine',
      hours: 2,
    });
    expect(read({ properties: { Title: 'Mine' } }).value.properties.displayName).toBe('Mine');
    expect(read({ properties: { title: 'c', DisplayName: 'b', displayName: 'a' } }).value.properties.displayName).toBe(
      'a',
    );
    expect(read({ properties: { DisplayName: 'b', title: 'c' } }).value.properties.displayName).toBe('b');
  });

  it('with null as absent, and without what was not declared', () => {
    const { value } = read({ surprise: 1, properties: { displayName: 'a', hours: null, tags: null, what: {} } });
    expect(value).toEqual({ properties: { displayName: 'a', workload: 'Production' } });
  });

  it('with words in any case, kept in their own', () => {
    expect(read({ properties: { displayName: 'a', workload: 'devtest' } }).value.properties.workload).toBe('DevTest');
  });

  it('with ids of any configured prefix, kept with the canonical one', () => {
    const id = (prefix: string) =>
      `/subscriptions/${SUBSCRIPTION}/resourceGroups/g/providers/${prefix}.DataShare/accounts/a`;
    const body = { properties: { displayName: 'a', account: id('microsoft') } };
    expect(read(body, { aliases: ['Microsoft'] }).value.properties.account).toBe(id('Vendor'));
    expect(mistakesOf(body).map(([target]) => target)).toEqual(['properties.account']);
  });

  it('by the discriminator of its variants', () => {
    const targets = [
      { kind: 'blob', path: 'p', rows: 'ignored' },
      { KIND: 'Table', rows: 3 },
    ];
    expect(read({ properties: { displayName: 'a', targets } }).value.properties.targets).toEqual([
      { kind: 'Blob', path: 'p' },
      { kind: 'Table', rows: 3 },
    ]);
  });

  it('by the rules of its api-version', () => {
    const versions = new ProviderVersions([
      {
        version: '2022-06-01-preview',
        adds: { required: { shares: ['properties.hours', 'properties.targets[].path'] } },
        spells: { shares: { 'properties.workload': { Production: 'Live' } } },
      },
      {
        version: '2023-01-01',
        adds: { words: { shares: { 'properties.workload': ['DevTest'], 'properties.targets[].kind': ['Table'] } } },
        drops: { required: { shares: ['properties.hours', 'properties.targets[].path'] } },
      },
    ]);
    const rules = versions.of('shares').find('2022-06-01-PREVIEW')?.rules;
    const properties = { displayName: 'a', targets: [{ kind: 'Table' }], workload: 'devtest' };
    expect(mistakesOf({ properties }, { rules })).toEqual([
      ['properties.workload', "must be one of 'Live'."],
      ['properties.hours', 'is required.'],
      ['properties.targets[0].kind', "must be one of 'Blob'."],
    ]);
    const live = { properties: { displayName: 'a', hours: 1, workload: 'live' } };
    expect(read(live, { rules }).value.properties.workload).toBe('Production');
    expect(versions.of('shares').find('2023-01-01')?.rules).toBeUndefined();
    expect(mistakesOf({ properties })).toEqual([]);
  });

  it('into the types of its declaration', () => {
    type Value = ValueOf<typeof SHARE>['properties'];
    expectTypeOf<Value['displayName']>().toEqualTypeOf<string>();
    expectTypeOf<Value['workload']>().toEqualTypeOf<'Production' | 'DevTest'>();
    expectTypeOf<Value['hours']>().toEqualTypeOf<number | undefined>();
    expectTypeOf<NonNullable<DraftOf<typeof SHARE>['properties']>['displayName']>().toEqualTypeOf<string | undefined>();
    type Target = NonNullable<Value['targets']>[number];
    expectTypeOf<Extract<Target, { kind: 'Blob' }>['path']>().toEqualTypeOf<string>();
  });
});

describe('a mistake is reported', () => {
  it.each([
    [{ hours: 'x' }, 'hours', 'must be integer or null.'],
    [{ hours: 25 }, 'hours', 'must be <= 24.'],
    [{ hours: 0 }, 'hours', 'must be >= 1.'],
    [{ hours: 1.5 }, 'hours', 'must be integer or null.'],
    [{ parts: 2 ** 31 }, 'parts', 'must be <= 2147483647.'],
    [{ ratio: '1' }, 'ratio', 'must be number or null.'],
    [{ paused: 'no' }, 'paused', 'must be boolean or null.'],
    [{ settings: [] }, 'settings', 'must be object or null.'],
    [{ tags: { a: 1 } }, 'tags.a', 'must be string.'],
    [{ workload: 'Play' }, 'workload', "must be one of 'Production', 'DevTest'."],
    [
      { startTime: '2023-02-30T00:00:00Z' },
      'startTime',
      'is not valid: it must be a time such as 2030-01-31T12:00:00Z.',
    ],
    [{ displayName: '' }, 'displayName', 'is required.'],
    [{ displayName: 'a1' }, 'displayName', 'is not valid: it must be letters.'],
    [{ targets: [null] }, 'targets[0]', 'must be object.'],
    [{ targets: [{}] }, 'targets[0].kind', 'is required.'],
    [{ targets: [{ kind: 'Cloud' }] }, 'targets[0].kind', "must be one of 'Blob', 'Table'."],
    [{ targets: [{ kind: 'Blob' }] }, 'targets[0].path', 'is required.'],
    [{ targets: [{}, {}, {}, {}] }, 'targets', 'must have at most 3 entries.'],
  ])('%j', (properties, target, message) => {
    expect(ofProperties(properties)).toEqual([[`properties.${target}`, message]]);
  });

  it('if there is no body', () => {
    for (const body of [null, undefined, 1, 'x', [], true])
      expect(
        read(body)
          .mistakes.errors()
          .map(({ message }) => message),
      ).toEqual(['The request body must be object.']);
  });

  it('for members missing in an absent object', () => {
    expect(mistakesOf({})).toEqual([['properties.displayName', 'is required.']]);
  });

  it('together with all others, in the order of the declaration, whatever the order of what was sent', () => {
    const targets = [{ kind: 'Table', rows: 0 }, { kind: 'Blob' }];
    expect(ofProperties({ targets, hours: 'x', displayName: 7 }).map(([target]) => target)).toEqual([
      'properties.displayName',
      'properties.hours',
      'properties.targets[0].rows',
      'properties.targets[1].path',
    ]);
  });

  it('by kind and by field, where a service wants that', () => {
    const entry = object({ a: text({ required: true }), b: word(['x']) });
    const { mistakes } = readBody(
      object({ list: list(entry) }),
      { list: [{ b: 'y' }, { a: 'a', b: 'z' }, {}] },
      {
        context: { now: 0 },
      },
    );
    const targets = (order: Parameters<typeof mistakes.errors>[0]) =>
      mistakes.errors(order).map(({ target }) => target);
    expect(targets({ kinds: ['word', 'missing'] })).toEqual(['list[0].b', 'list[1].b', 'list[0].a', 'list[2].a']);
    expect(targets({ kinds: ['word'] })).toEqual(['list[0].b', 'list[1].b']);
    expect(targets(undefined)).toEqual(['list[0].a', 'list[0].b', 'list[1].b', 'list[2].a']);
  });

  it('at most fifty times, but counted in full', () => {
    const many = object({ list: list(text()) });
    const { mistakes } = readBody(many, { list: Array(100_000).fill(1) }, { context: { now: 0 } });
    expect(mistakes.count).toBe(100_000);
    expect(mistakes.errors()).toHaveLength(50);
    expect(() => mistakes.throwAny()).toThrow(ApiError);
  });

  it('by rules of the service, with what they know, at the place that they name', () => {
    const later = object(
      {
        from: time(),
        to: time({ check: (_value, at) => at.context.now > 5 && at.wrong(says('TooLate')) }),
      },
      {
        check: ({ from = '', to = '' }, at) => {
          if (from > to) at.member('from').wrong(says('Backwards'));
        },
      },
    );
    const body = { from: '2024-01-01T00:00:00Z', to: '2023-01-01T00:00:00Z' };
    const codes = (now: number) =>
      readBody(later, body, { context: { now } })
        .mistakes.errors()
        .map(({ code }) => code);
    expect(codes(0)).toEqual(['Backwards']);
    expect(codes(9)).toEqual(['Backwards', 'TooLate']);
  });

  it('and such a body has no value', () => {
    expect(() => read({}).value).toThrow('A body with mistakes has no value.');
  });
});

describe('secrets', () => {
  const properties = {
    displayName: 'a',
    password: 'hush',
    keys: { one: 'hush-1', ['__proto__']: 'hush-2' },
    targets: [{ kind: 'Blob', name: 'hush-3', path: 'p' }],
  };

  it('are separated from the shown part', () => {
    const { draft } = read({ properties });
    const { shown, secrets } = takeSecrets(SHARE, draft);
    expect(shown).toEqual({
      properties: { displayName: 'a', workload: 'Production', keys: {}, targets: [{ kind: 'Blob', path: 'p' }] },
    });
    expect(JSON.stringify(shown)).not.toContain('hush');
    expect(secrets.map(({ path }) => path.join('.'))).toEqual([
      'properties.password',
      'properties.keys',
      'properties.targets.0.name',
    ]);
    expect(putSecrets(shown, secrets)).toEqual(draft);
  });
});

describe('what is immutable', () => {
  it('is reported if it was sent with another value', () => {
    const before = { properties: { displayName: 'a', account: '/a' } };
    expect(immutableChanges(SHARE, { properties: { account: '/a', displayName: 'b' } }, before)).toEqual([]);
    expect(immutableChanges(SHARE, { properties: {} }, before)).toEqual([]);
    expect(immutableChanges(SHARE, { properties: { account: '/b' } }, before)).toEqual(['properties.account']);
  });
});

it('names in a part of a body can be corrected before it is merged', () => {
  expect(withDeclaredNames(SHARE, { PROPERTIES: { A: 1 }, other: 2 })).toEqual({ properties: { A: 1 }, other: 2 });
});

it('the schema for the OpenAPI document has every field, and requires none', () => {
  const { properties } = SHARE.schema() as unknown as {
    properties: Record<string, { type: unknown; properties: object }>;
  };
  expect(properties.properties?.type).toEqual(['object', 'null']);
  expect(Object.keys(properties.properties?.properties ?? {})).toContain('displayName');
  expect(SHARE.schema()).not.toHaveProperty('required');
});
