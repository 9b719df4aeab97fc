import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Method, Route } from '../../../src/kernel/http/route.ts';
import { Router } from '../../../src/kernel/http/router.ts';

const owner = { name: 'test' };

function routerOf(...templates: string[]): Router<typeof owner> {
  const router = new Router<typeof owner>(['Microsoft']);
  router.mount(['/subscriptions', '/api/v2.0'], owner);
  for (const template of templates) router.add(routeOf(template), owner);
  return router;
}

function routeOf(template: string): Route {
  const [method, path] = template.split(' ') as [Method, string];
  return { method, path, operation: template, summary: '', handle: () => ({ status: 200 }) };
}

const found = (router: Router<typeof owner>, method: Method, path: string) => {
  const match = router.match(method, path);
  return match.kind === 'route' ? { template: match.route.operation, ...match.params } : match.kind;
};

describe('paths', () => {
  const router = routerOf(
    'GET /subscriptions',
    'GET /subscriptions/{subscriptionId}',
    'GET /subscriptions/{subscriptionId}/resourceGroups/{name}',
    'PUT /subscriptions/{subscriptionId}/resourceGroups/{name}',
    'GET /subscriptions/{subscriptionId}/resourceGroups/{name}/providers/Vendor.Test/widgets/{widget}',
    'GET /files/{rest*}',
    'GET /',
  );

  it.each([
    ['/subscriptions', { template: 'GET /subscriptions' }],
    ['/', { template: 'GET /' }],
    ['/SUBSCRIPTIONS/A', { template: 'GET /subscriptions/{subscriptionId}', subscriptionId: 'A' }],
    [
      '/subscriptions/a/resourcegroups/B',
      { template: 'GET /subscriptions/{subscriptionId}/resourceGroups/{name}', subscriptionId: 'a', name: 'B' },
    ],
    ['//subscriptions//a/', { template: 'GET /subscriptions/{subscriptionId}', subscriptionId: 'a' }],
    ['/subscriptions/a%20b', { template: 'GET /subscriptions/{subscriptionId}', subscriptionId: 'a b' }],
    ['/files/a/b/c', { template: 'GET /files/{rest*}', rest: 'a/b/c' }],
    ['/nothing', 'notFound'],
    ['/subscriptions/a/b', 'notFound'],
    ['/subscriptions/%E0%A4%A', 'malformed'],
  ])('%s', (path, expected) => expect(found(router, 'GET', path)).toEqual(expected));

  it('take a provider prefix that is an alias of Vendor, and no other', () => {
    const path = (prefix: string) => `/subscriptions/a/resourceGroups/b/providers/${prefix}.Test/widgets/c`;
    expect(found(router, 'GET', path('microsoft'))).toMatchObject({ widget: 'c' });
    expect(found(router, 'GET', path('Acme'))).toBe('notFound');
  });

  it('answer which methods there are when the one asked for is missing', () => {
    expect(router.match('DELETE', '/subscriptions/a/resourceGroups/b')).toMatchObject({
      kind: 'methodNotAllowed',
      allow: ['GET', 'PUT'],
    });
  });

  it('answer HEAD where there is only GET', () => {
    expect(found(router, 'HEAD', '/subscriptions')).toMatchObject({ template: 'GET /subscriptions' });
  });

  it('belong to the API that mounted their prefix, even without a route', () => {
    expect(router.match('GET', '/api/v2.0/nothing').owner).toBe(owner);
    expect(router.match('GET', '/api/v2.00').owner).toBeUndefined();
  });

  it('cannot be declared twice', () => {
    expect(() => routerOf('GET /a/{x}', 'GET /A/{y}')).toThrow('declared twice');
  });
});

describe('scopes in front of /providers', () => {
  const router = routerOf(
    'PUT /{scope}/providers/Vendor.EventGrid/eventSubscriptions/{name}',
    'GET /{scope}/providers/Vendor.EventGrid/eventSubscriptions',
    'GET /subscriptions/{s}/providers/Vendor.EventGrid/topics/{t}',
  );

  it.each([
    ['/subscriptions/s', '/subscriptions/s'],
    ['/subscriptions/s/resourceGroups/g', '/subscriptions/s/resourceGroups/g'],
    [
      '/subscriptions/s/resourceGroups/g/providers/Vendor.X/ys/y/zs/z',
      '/subscriptions/s/resourceGroups/g/providers/Vendor.X/ys/y/zs/z',
    ],
    ['//subscriptions/s', '/subscriptions/s'],
    ['', '/'],
  ])("'%s' is taken whole", (scope, expected) => {
    const path = `${scope}/providers/Microsoft.EventGrid/EventSubscriptions/Mine`;
    expect(found(router, 'PUT', path)).toMatchObject({ scope: expected, name: 'Mine' });
    expect(found(router, 'GET', `${scope}/providers/vendor.eventgrid/eventsubscriptions`)).toMatchObject({
      scope: expected,
    });
  });

  it('give way to a route without a scope', () => {
    expect(found(router, 'GET', '/subscriptions/a/providers/Vendor.EventGrid/topics/t')).toMatchObject({
      s: 'a',
      t: 't',
    });
  });
});

describe('OData keys', () => {
  const router = routerOf(
    'GET /api/v2.0/companies',
    'GET /api/v2.0/companies({company})',
    'GET /api/v2.0/companies({company})/customers({customer})',
    'GET /api/v2.0/subscriptions({id})',
    'GET /api/v2.0/companies({company})/customers/$count',
  );

  it.each([
    ['/api/v2.0/companies(1-2)', { company: '1-2' }],
    ['/api/v2.0/Companies(1)/customers(2)', { company: '1', customer: '2' }],
    ["/api/v2.0/subscriptions('abc')", { id: 'abc' }],
    ["/api/v2.0/subscriptions('it''s')", { id: "it's" }],
    ["/api/v2.0/subscriptions('a/b(c)')", { id: 'a/b(c)' }],
    ['/api/v2.0/subscriptions(%27a%2Fb%27)', { id: 'a/b' }],
    ['/api/v2.0/companies(1)/customers/$count', { company: '1' }],
  ])('%s', (path, params) => expect(found(router, 'GET', path)).toMatchObject(params));

  it('are not taken from text that has none', () => {
    expect(found(router, 'GET', '/api/v2.0/companies()')).toMatchObject({ company: '' });
    expect(found(router, 'GET', '/api/v2.0/companies(1')).toBe('notFound');
    expect(found(router, 'GET', '/api/v2.0/companies')).toMatchObject({ template: 'GET /api/v2.0/companies' });
  });
});

describe('properties', () => {
  const router = routerOf('GET /a/{x}/b/{y}', 'GET /{scope}/providers/Vendor.T/n/{name}', 'GET /k({key})');

  it('any parameter survives its way through an encoded path', () => {
    const segment = fc
      .string({ minLength: 1, unit: 'grapheme' })
      .filter((text) => text.isWellFormed() && !text.includes("('"));
    fc.assert(
      fc.property(segment, segment, (x, y) => {
        expect(found(router, 'GET', `/a/${encodeURIComponent(x)}/b/${encodeURIComponent(y)}`)).toMatchObject({ x, y });
      }),
    );
  });

  it('any quoted key survives too', () => {
    fc.assert(
      fc.property(
        fc.string().filter((text) => text.isWellFormed()),
        (key) => {
          const path = `/k('${encodeURIComponent(key.replaceAll("'", "''")).replaceAll("'", '%27')}')`;
          expect(found(router, 'GET', path)).toMatchObject({ key });
        },
      ),
    );
  });

  it('no path makes it throw', () => {
    fc.assert(fc.property(fc.webPath(), fc.string(), (path, tail) => void router.match('GET', path + tail)));
  });
});
