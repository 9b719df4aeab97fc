import { describe, expect, it, test } from 'vitest';
import { type Addressed, NearestPaths } from '../../../src/kernel/http/nearest-path.ts';
import { PathGuide } from '../../../src/kernel/http/path-guide.ts';
import type { Method, Route } from '../../../src/kernel/http/route.ts';

const TEMPLATES = [
  'GET /groups',
  'POST /groups',
  'GET /groups/{group}',
  'GET /groups/{group}/members',
  'POST /groups/{group}/members/{member}/remove',
  'GET /v1.0/me/messages',
  'POST /api/2.0/clusters/create',
  'GET /api/2.0/clusters/list',
  'GET /api/{publisher}/{group}/{version}',
  'GET /files/{path*}',
  'GET /people({id})/photo',
] as const;

const itemOf = (template: string): Addressed => {
  const [method, path = ''] = template.split(' ');
  return { method: method as Method, path };
};

describe('the nearest template', () => {
  const paths = new NearestPaths<Addressed>();
  for (const template of TEMPLATES) paths.add(itemOf(template));

  test.each([
    ['a misspelt word', 'GET /gruops', 'GET /groups'],
    ['another case', 'GET /GROPUS/X', 'GET /groups/{group}'],
    ['the same method wins', 'POST /grops', 'POST /groups'],
    ['another method where there is none', 'DELETE /grops', 'GET /groups'],
    ['HEAD as GET', 'HEAD /grops', 'GET /groups'],
    ['two misspelt words', 'GET /gropus/1/membrs', 'GET /groups/{group}/members'],
    ['a word that is missing at the start', 'GET /me/messages', 'GET /v1.0/me/messages'],
    ['two words that are missing', 'GET /clusters/list', 'GET /api/2.0/clusters/list'],
    ['a word too much', 'GET /v1.0/me/messages/all', 'GET /v1.0/me/messages'],
    ['a path that ends too early', 'POST /api/2.0/clusters', 'POST /api/2.0/clusters/create'],
    ['a short version', 'GET /v1/me/messages', 'GET /v1.0/me/messages'],
    ['words before parameters', 'GET /api/2.0/clusters/lst', 'GET /api/2.0/clusters/list'],
    ['parameters where no words fit', 'GET /apii/contoso/fleet/v1.0', 'GET /api/{publisher}/{group}/{version}'],
    ['anything below a folder', 'GET /fles/a/b/c', 'GET /files/{path*}'],
    ['a key in parentheses', "GET /peple('a-b')/photo", 'GET /people({id})/photo'],
    ['a word behind a value behind a missing word', 'GET /1/members', 'GET /groups/{group}/members'],
    ['nothing', 'GET /something/else', undefined],
    ['values alone', 'GET /1/2/3', undefined],
    ['the root', 'GET /', undefined],
  ])('%s: %s', (_title, asked, expected) => {
    const { method, path } = itemOf(asked);
    const { nearest } = paths.find(method, path.split('/').filter(Boolean));
    expect(nearest && `${nearest.method} ${nearest.path}`).toBe(expected);
  });
});

test.each(['PUT /_jar/content', 'PUT /_jar/content/x', 'GET /storage/x', 'GET /storage/x/y'])(
  'a word that is nowhere is no value behind a missing word: %s',
  (asked) => {
    const paths = new NearestPaths<Addressed>();
    for (const template of ['PUT /_jar/users/{id}', 'PUT /_jar/users/{id}/{part}', 'GET /storage/files/{path*}'])
      paths.add(itemOf(template));
    const { method, path } = itemOf(asked);
    expect(paths.find(method, path.split('/').filter(Boolean)).nearest).toBeUndefined();
  },
);

describe('the cost of a search', () => {
  /** As many routes as in a jar, with more siblings than any node of a jar has. */
  const paths = new NearestPaths<Addressed>();
  for (let i = 0; i < 400; i++)
    for (const end of ['list', 'get', 'create', 'delete', 'update', '{id}/parts'])
      paths.add({ method: 'GET', path: `/api/2.0/area-${i}/${end}` });
  const MOST_STEPS = 8_000 + 400;

  test.each<[string, string[]]>([
    ['a miss in the middle', ['api', '2.0', 'aera-17', 'list']],
    ['no word that fits', Array.from({ length: 30 }, (_, i) => `nothing-${i}`)],
    ['words that nearly fit everywhere', Array.from({ length: 32 }, () => 'area-1')],
    ['words that fit everywhere', ['api', '2.0', ...Array.from({ length: 30 }, () => 'list')]],
    ['one long word', ['x'.repeat(16_000)]],
    ['many long words', Array.from({ length: 32 }, () => 'area-'.repeat(100))],
    ['many short words', Array.from({ length: 8_000 }, () => 'a')],
  ])('has a bound, whatever was sent: %s', (_title, segments) => {
    const { steps } = paths.find('GET', segments);
    expect(steps).toBeLessThanOrEqual(MOST_STEPS);
  });

  it('does not grow with words that cannot be near', () => {
    expect(
      paths.find(
        'GET',
        Array.from({ length: 8_000 }, () => 'a'),
      ).steps,
    ).toBe(0);
  });
});

describe('the guide of a jar', () => {
  const guide = new PathGuide<string>(['Microsoft']);
  const add = (template: string, more: Partial<Route> = {}) =>
    guide.add({ ...itemOf(template), operation: '', summary: '', handle: () => ({ status: 200 }), ...more }, 'owner');
  add('GET /{scope}/providers/Vendor.EventGrid/eventSubscriptions/{name}');
  add('GET /subscriptions/{id}/providers/Vendor.Storage/accounts');
  add('GET /mail/{path*}', {
    covers: () => [{ method: 'GET', path: '/mail/messages', operation: '', summary: '' }],
  });
  const nearest = (path: string) => guide.nearest('GET', path)?.path;

  it('finds routes behind a scope of any length', () => {
    for (const scope of ['', '/subscriptions/1', '/a/b/c/d/e/f/g/h'])
      expect(nearest(`${scope}/providers/Vendor.EventGrid/eventSubscription/x`)).toBe(
        '/{scope}/providers/Vendor.EventGrid/eventSubscriptions/{name}',
      );
  });

  it('answers in the spelling of the caller', () => {
    expect(nearest('/subscriptions/1/providers/microsoft.Storge/accounts')).toBe(
      '/subscriptions/{id}/providers/Microsoft.Storage/accounts',
    );
  });

  it('knows the operations of a route that accepts any path', () => {
    expect(nearest('/mial/mesages')).toBe('/mail/messages');
  });

  it('does not suggest the path that was asked for', () => {
    expect(nearest('/subscriptions/1/providers/Vendor.Storage/accounts')).toBeUndefined();
    expect(nearest('/subscriptions/1/providers/Vendor.Storage/Accounts')).toBe(
      '/subscriptions/{id}/providers/Vendor.Storage/accounts',
    );
  });

  it('has nothing to say of a path that cannot be decoded', () => {
    expect(nearest('/mail/%zz')).toBeUndefined();
  });
});
