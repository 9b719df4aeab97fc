import { expect, it } from 'vitest';
import type { ApiFamily } from '../../../src/kernel/http/family.ts';
import { noContent, type Route } from '../../../src/kernel/http/route.ts';
import type { Navigation } from '../../../src/kernel/odata/expand.ts';
import { ownedBy } from '../../../src/kernel/odata/owned.ts';
import { type ODataSet, odataEntity, odataPage } from '../../../src/kernel/odata/page.ts';
import { type Call, route } from '../../../src/kernel/service/routes.ts';
import { onBothStores } from '../../support/jars.ts';
import { wholeService } from '../../support/whole-service.ts';
import { type Sample, samples, shape } from './samples.ts';

/** A minimal OData service: one set of documents, each of which may be the child of another. */

const FAMILY: ApiFamily = {
  name: 'samples',
  steps: [],
  renderError: ({ status, code, message, target }) => ({ status, body: { error: { code, message, target } } }),
  commonHeaders: () => ({}),
  bodyLimitBytes: 1_000_000,
  cors: false,
  codes: {
    malformedJson: 'BadJson',
    invalidBody: 'BadBody',
    invalidQuery: 'BadQuery',
    bodyTooLarge: 'TooLarge',
    unsupportedMediaType: 'BadType',
    notFound: 'NotFound',
    methodNotAllowed: 'NotAllowed',
    preconditionFailed: 'Changed',
    internal: 'Internal',
    unavailable: 'Unavailable',
  },
};

const view = ({ name, size, note }: Sample) => ({ name, size, note: note ?? null });

function sampleSet(call: Call): ODataSet<Sample> {
  const { store } = call.jar;
  const children: Navigation<Sample, Sample> = {
    name: 'children',
    many: true,
    shape,
    view,
    load: ownedBy(store, samples, 'owner', (parent) => parent.name),
  };
  return {
    name: 'samples',
    base: `${call.origin}/samples-api`,
    shape,
    view: ({ value, etag }) => ({ '@odata.etag': `W/"${etag}"`, ...view(value) }),
    navigations: [children],
    always: ['name'],
    codeOf: ({ code }) => `BadRequest_${code}`,
  };
}

const routes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/samples-api/samples',
    operation: 'Samples_List',
    summary: 'All samples',
    open: true,
    handle: (call) => odataPage(call, sampleSet(call), { size: 3, most: 5, top: 'total' }),
  }),
  route({
    method: 'GET',
    path: '/samples-api/samples({key})',
    operation: 'Samples_Get',
    summary: 'One sample',
    open: true,
    handle: async (call) => {
      const stored = await call.jar.store.get(samples, call.params.key);
      return stored ? odataEntity(call, sampleSet(call), stored) : { status: 404 };
    },
  }),
  route({
    method: 'PUT',
    path: '/samples-api/samples({key})',
    operation: 'Samples_Put',
    summary: 'Writes a sample',
    open: true,
    handle: async (call) => {
      await call.jar.store.transact((tx) => tx.put(samples, call.params.key, call.body as Sample));
      return noContent();
    },
  }),
];

const SAMPLES = wholeService({
  name: 'samples',
  title: 'Samples',
  family: FAMILY,
  mounts: ['/samples-api'],
  routes,
  collections: [samples],
});

onBothStores(
  'an OData service',
  (bench) => {
    const get = (query: string, headers = {}) => bench.call('GET', `/samples-api/samples${query}`, { headers });
    const fill = async () => {
      for (let i = 0; i < 7; i++) {
        const body = {
          name: `n${i}`,
          size: i,
          owner: i === 0 ? null : `n${(i - 1) % 2}`,
          note: i === 6 ? 'last' : null,
        };
        await bench.call('PUT', `/samples-api/samples(k${i})`, { body });
      }
    };
    const names = (body: { value: { name: string }[] }) => body.value.map(({ name }) => name).join(' ');

    it('filters, orders, selects, counts and pages', async () => {
      await fill();
      const first = await get('?$filter=size gt 1&$orderby=size desc&$select=size&$count=true&$top=4');
      expect(first.body).toEqual({
        '@odata.context': `${bench.jar.url}/samples-api/$metadata#samples(size)`,
        '@odata.count': 5,
        value: [6, 5, 4].map((size) => ({ '@odata.etag': expect.stringMatching(/^W\/".+"$/), name: `n${size}`, size })),
        '@odata.nextLink': expect.stringContaining('%24skiptoken='),
      });
      const second = await bench.call('GET', first.body['@odata.nextLink']);
      expect(names(second.body)).toBe('n3');
      expect(second.body['@odata.nextLink']).toBeUndefined();
      expect(second.body['@odata.count']).toBe(5);
    });

    it('honours a preferred page size, within its own', async () => {
      await fill();
      const two = await get('', { prefer: 'odata.maxpagesize=2' });
      expect(two.body.value).toHaveLength(2);
      expect(two.headers.get('preference-applied')).toBe('odata.maxpagesize=2');
      expect((await get('', { prefer: 'odata.maxpagesize=1000' })).body.value).toHaveLength(5);
    });

    it('expands', async () => {
      await fill();
      const { body } = await get(
        "?$expand=children($filter=size gt 2;$orderby=size desc;$select=size;$count=true)&$select=name&$filter=name eq 'n0'",
      );
      expect(body.value[0]).toMatchObject({
        name: 'n0',
        'children@odata.count': 2,
        children: [{ size: 5 }, { size: 3 }],
      });
      const one = await bench.call('GET', '/samples-api/samples(k1)?$expand=children($top=1)&$select=size');
      expect(one.body).toEqual({
        '@odata.context': `${bench.jar.url}/samples-api/$metadata#samples(size)/$entity`,
        '@odata.etag': expect.any(String),
        name: 'n1',
        size: 1,
        children: [{ name: 'n2', size: 2, note: null }],
      });
    });

    it('expands more children than one page of the store has', async () => {
      await fill();
      const write = (i: number) =>
        bench.call('PUT', `/samples-api/samples(m${i})`, { body: { name: `m${i}`, size: -1, owner: 'n3' } });
      for (let i = 0; i < 1100; i += 100) await Promise.all(Array.from({ length: 100 }, (_, j) => write(i + j)));
      const { body } = await get("?$filter=name in ('n3','n4')&$expand=children($count=true;$top=2)");
      const counts = body.value.map((each: Record<string, unknown>) => each['children@odata.count']);
      expect(counts).toEqual([1100, 0]);
      expect(body.value[0].children).toHaveLength(2);
    });

    it('finds by what it has no field for, and by both at once', async () => {
      await fill();
      expect(names((await get("?$filter=note eq 'last'")).body)).toBe('n6');
      expect(names((await get('?$filter=note eq null and size gt 4')).body)).toBe('n5');
    });

    it.each([
      ["?$filter=size eq 'x'", 'BadRequest_TypeMismatch', '$filter', /at position 5, before 'eq 'x''\.$/],
      ['?$orderby=note', 'BadRequest_NotSupported', '$orderby', /at position 0/],
      [
        '?$select=nope',
        'BadRequest_UnknownProperty',
        '$select',
        /samples has no property 'nope' \(did you mean 'note'\?\) at position 0/,
      ],
      ['?$expand=nope', 'BadRequest_UnknownProperty', '$expand', /cannot be expanded, only children, at position 0/],
      ['?$top=x', 'BadRequest_InvalidValue', '$top', /must be a whole number/],
      ['?$skip=100001', 'BadRequest_InvalidValue', '$skip', /at most 100000/],
      ['?$skiptoken=x', 'BadRequest_InvalidToken', '$skiptoken', /is not from this server/],
    ])('refuses %s', async (query, code, target, message) => {
      const { status, body } = await get(query);
      expect({ status, ...body.error }).toEqual({ status: 400, code, target, message: expect.stringMatching(message) });
    });
  },
  { services: [SAMPLES] },
);
