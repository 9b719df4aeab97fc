import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startJar, type TestJar } from '../../../src/testing/index.ts';

const GROUP = '/subscriptions/10000000-0000-4000-8000-0000000000f1/resourceGroups/x?api-version=2025-04-01';
const CONTAINERS =
  '/subscriptions/10000000-0000-4000-8000-0000000000f1/resourceGroups/x/providers/Vendor.ContainerInstance/containerGroups/g?api-version=2023-05-01';

const members = (count: number): string =>
  `{${Array.from({ length: count }, (_, index) => `"${index.toString(36)}":1`).join(',')}}`;
const entries = (count: number): string => `[${'1,'.repeat(count - 1)}1]`;
const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);

/** Bodies of allowed length that would keep a parser or validator busy for seconds, and the error of each. */
const ATTACKS = [
  ['a hundred thousand names', () => members(100_000), /has more than \d+ names of members/],
  ['four hundred thousand values', () => entries(400_000), /has more than \d+ values/],
  ['a hundred thousand levels', () => nested(100_000), /is nested more than \d+ levels deep/],
] as const;

describe('JSON that would block other requests is rejected before it is parsed', () => {
  let jar: TestJar;
  let targets: Record<string, readonly [method: string, path: string, headers: Record<string, string>]>;

  beforeAll(async () => {
    jar = await startJar();
    const bearer = { authorization: `Bearer ${await jar.token()}` };
    const admin = { authorization: `Bearer ${jar.adminKey}` };
    const { lifecycle = '', translator = '' } = await jar.keys();
    await fetch(jar.url + GROUP, {
      method: 'PUT',
      headers: { ...bearer, 'content-type': 'application/json' },
      body: '{"location":"westus"}',
    });
    const companies = await fetch(`${jar.url}/api/v2.0/companies`, { headers: bearer });
    const { value } = (await companies.json()) as { value: { id: string }[] };
    targets = {
      management: ['PUT', GROUP, bearer],
      'container groups': ['PUT', CONTAINERS, bearer],
      'the business application': ['POST', `/api/v2.0/companies(${value[0]?.id})/customers`, bearer],
      'a batch of the business application': ['POST', '/api/v2.0/$batch', bearer],
      'app lifecycle': ['POST', '/v0.1/apps', { 'x-api-token': lifecycle }],
      'the translator': ['POST', '/detect?api-version=3.0', { 'ocp-apim-subscription-key': translator }],
      'the control API': ['POST', '/_jar/faults', admin],
    };
  });
  afterAll(() => jar.close());

  describe.each([
    'management',
    'container groups',
    'the business application',
    'a batch of the business application',
    'app lifecycle',
    'the translator',
    'the control API',
  ])('by %s', (name) => {
    it.each(ATTACKS)('with %s', async (_, make, reason) => {
      const [method, path, headers] = targets[name] as (typeof targets)[string];
      const body = make();
      const parse = vi.spyOn(JSON, 'parse');
      try {
        const reply = await fetch(jar.url + path, {
          method,
          headers: { ...headers, 'content-type': 'application/json' },
          body,
        });
        const text = await reply.text();
        expect(reply.status).toBe(400);
        expect(text).toMatch(reason);
        expect(parse.mock.calls.filter(([parsed]) => parsed.length > 10_000)).toEqual([]);
      } finally {
        parse.mockRestore();
      }
    });
  });

  it('by the business application when it is one text of 17 MB, without reading it', async () => {
    const [method, path, headers] = targets['the business application'] as (typeof targets)[string];
    const reply = await fetch(jar.url + path, {
      method,
      headers: { ...headers, 'content-type': 'application/json' },
      body: `{"displayName":"${'x'.repeat(17 * 1024 * 1024)}"}`,
    });
    expect([reply.status, await reply.text()]).toEqual([413, expect.stringContaining('RequestEntityTooLarge')]);
  });

  it('by the token endpoint as a form of a hundred thousand parameters', async () => {
    const reply = await fetch(`${jar.url}/common/oauth2/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: '&'.repeat(100_000),
    });
    expect([reply.status, await reply.text()]).toEqual([400, expect.stringContaining('more than 1000 parameters')]);
  });
});
