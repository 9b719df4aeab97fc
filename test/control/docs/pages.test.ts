import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it, test } from 'vitest';
import { schemaText } from '../../../src/control/docs/schema-text.ts';
import { SERVICES } from '../../../src/services.ts';
import { withJar } from '../../support/jars.ts';

const CUSTOM = {
  publisher: 'contoso',
  group: 'parking',
  version: 'v1.0',
  entities: [
    {
      entityName: 'carPark',
      entitySetName: 'carParks',
      table: { number: 50102, temporary: true, fields: { places: 'int32' } },
    },
  ],
};

const PAGE = '/_jar/docs/api';

withJar(
  (bench) => {
    const open = (path: string, headers: Record<string, string> = {}) =>
      bench.call('GET', path, { token: null, headers });
    // biome-ignore lint/suspicious/noExplicitAny: the test looks into documents
    const document = async (query = ''): Promise<any> => (await open(`/_jar/openapi.json${query}`)).body;

    describe('the pages of the API', () => {
      it('have every operation of the OpenAPI document, at an address of its own', async () => {
        const { paths, tags } = await document();
        const pages = new Map<string, string>();
        for (const { name } of tags) {
          const reply = await open(`${PAGE}/${name}`);
          if (reply.status === 200) pages.set(name, reply.text);
        }
        const index = (await open(PAGE)).text;
        // biome-ignore lint/suspicious/noExplicitAny: of every shape
        const operations = Object.values<any>(paths).flatMap((item) => Object.values<any>(item));
        expect(operations.length).toBeGreaterThan(2_000);
        const missing = operations.filter(
          ({ tags: [tag], operationId }) =>
            !index.includes(`href="${PAGE}/${tag}#${operationId}"`) || !pages.get(tag)?.includes(`id="${operationId}"`),
        );
        expect(missing).toEqual([]);
      });

      it('have each address once', async () => {
        for (const name of ['platform', 'mail', 'business', 'control', 'resources']) {
          const { text } = await open(`${PAGE}/${name}`);
          const ids = [...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
          expect(new Set(ids).size, name).toBe(ids.length);
        }
      });

      it('show parameters, bodies, answers, errors, api-versions and an example', async () => {
        const { text } = await open(`${PAGE}/resources`);
        for (const part of [
          'Resource types and their api-versions',
          'Vendor.Storage/storageAccounts',
          'id="ResourceGroups_CreateOrUpdate"',
          'api-version',
          '<h3>Body</h3>',
          '<h3>Answers</h3>',
          'curl -X PUT',
          '$(npx cloudjar token)',
          `${bench.jar.url}/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}?api-version=2`,
        ])
          expect(text).toContain(part);
        expect((await open(`${PAGE}/translator`)).text).toContain('$(npx cloudjar keys translator)');
        expect((await open(`${PAGE}/control`)).text).toContain('$(cat .cloudjar/admin.key)');
      });

      it('list the operations of routes that accept any path', async () => {
        expect((await open(`${PAGE}/mail`)).text).toContain('<code>/v1.0/me/messages/{message}/move</code>');
        expect((await open(`${PAGE}/business`)).text).toContain(
          '<code>/api/v2.0/companies({company})/customers</code>',
        );
      });

      it('load nothing from elsewhere, and allow no script and no style but their own', async () => {
        for (const path of [PAGE, `${PAGE}/containers`, '/']) {
          const { headers, text } = await open(path, { accept: 'text/html' });
          const policy = headers.get('content-security-policy') ?? '';
          expect(policy).toContain("default-src 'none'");
          expect(policy).toMatch(/script-src (?:'none'|'sha256-[^']+');/);
          expect(policy).not.toContain('unsafe');
          expect(policy).toContain("frame-ancestors 'none'");
          expect(text).not.toMatch(/(?:src|href)="(?!\/|#)/);
        }
      });

      it('name the known APIs if an unknown one is requested', async () => {
        for (const path of [`${PAGE}/platfrm`, '/_jar/openapi.json?service=platfrm'])
          expect(await open(path)).toMatchObject({
            status: 404,
            body: {
              error: {
                code: 'UnknownApi',
                target: 'service',
                message: expect.stringContaining("(did you mean 'platform'?); there are resources, "),
              },
            },
          });
        expect((await open(`${PAGE}/%3Cscript%3E`)).text).not.toContain('<script>alert');
      });
    });

    describe('a part of the document', () => {
      it('has the operations that requests to a path reach, with everything they refer to', async () => {
        const group = '/subscriptions/10000000-0000-4000-8000-0000000000f1/resourceGroups/demo';
        const template = '/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}';
        for (const [path, found] of [
          [group, template],
          [
            `${group}/providers/Microsoft.EventGrid/TOPICS/t1`,
            `${template}/providers/Vendor.EventGrid/topics/{resourceName}`,
          ],
          [
            `${group}/providers/Vendor.Storage/storageAccounts/s/providers/Vendor.EventGrid/eventSubscriptions/e`,
            '/{scope}/providers/Vendor.EventGrid/eventSubscriptions/{eventSubscriptionName}',
          ],
          ['/_jar/docs/guides/testing.html', '/_jar/docs/{file}'],
          ['/_jar/docs/api/mail', '/_jar/docs/api/{service}'],
        ] as const) {
          const part = await document(`?path=${encodeURIComponent(path)}`);
          expect(Object.keys(part.paths), path).toEqual([found]);
        }
        const missing = await open('/_jar/openapi.json?path=/nothing/here');
        expect(missing).toMatchObject({ status: 404, body: { error: { code: 'UnknownPath', target: 'path' } } });
      });

      it('has one operation, by its id', async () => {
        const part = await document('?operation=Translator_Detect');
        const whole = await document('?service=translator');
        expect(Object.values(part.paths)).toEqual([{ post: Object.values<object>(part.paths)[0]?.['post' as never] }]);
        expect(whole.paths).toMatchObject(part.paths);
        expect((await new Validator().validate(part)).errors ?? []).toEqual([]);
        const missing = await open('/_jar/openapi.json?operation=Nothing');
        expect(missing).toMatchObject({
          status: 404,
          body: { error: { code: 'UnknownOperation', target: 'operation' } },
        });
      });
    });

    describe('the list of operations', () => {
      const list = (query: string) =>
        bench.call('GET', `/_jar/docs/operations?${query}`, { token: bench.jar.adminKey });

      it('has every operation of the document, and those behind routes that accept any path', async () => {
        const { paths } = await document();
        type Item = Record<string, { operationId: string }>;
        const ids = Object.values<Item>(paths).flatMap((item) => Object.values(item).map((each) => each.operationId));
        const rows: { id: string; described: boolean }[] = [];
        for (let next: string | undefined = '$top=1000'; next !== undefined; ) {
          const { body } = await list(next);
          rows.push(...body.value);
          next = body.nextLink?.split('?')[1];
        }
        const described = rows.filter((row) => row.described).map(({ id }) => id);
        expect(described.sort()).toEqual(ids.sort());
        expect(rows.length).toBeGreaterThan(described.length);
        expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
      });

      it('is searched by service, path and summary', async () => {
        const filter = "service eq 'translator' and contains(tolower(summary),'language')";
        const { body } = await list(`$filter=${encodeURIComponent(filter)}`);
        expect(body.value.length).toBeGreaterThan(0);
        for (const row of body.value)
          expect(row).toMatchObject({ service: 'translator', credentials: expect.any(Array) });
        expect((await bench.call('GET', '/_jar/docs/operations', { token: null })).status).toBe(401);
      });
    });

    describe('what is open', () => {
      it('answers only under names of the jar, like the landing page', async () => {
        for (const path of [PAGE, `${PAGE}/translator`, '/_jar/openapi.json']) {
          expect((await open(path, { origin: 'https://elsewhere.example' })).status, path).toBe(403);
          expect((await open(path, { host: 'rebound.example' })).status, path).toBe(403);
        }
      });

      it('has nothing of what the owner configured', async () => {
        const index = (await open(`${PAGE}/business`)).text + JSON.stringify(await document());
        expect(index).not.toMatch(/contoso|carPark/i);
        expect(index).not.toContain(bench.jar.adminKey);
      });

      it('nor has a mistyped path, before it is known who asks', async () => {
        const misspelt = '/api/contoso/parking/v1.0/companies(10000000-0000-4000-8000-000000000001)/carPark';
        const stranger = await open(misspelt);
        expect(stranger.status).toBe(401);
        expect(stranger.text).not.toContain('carParks');
        const { text } = await bench.call('GET', misspelt);
        expect(text).toContain("did you mean 'carParks'?");
        expect((await open('/api/contoso/parkin/v1.0/companies')).text).not.toContain('parking');
      });
    });

    describe('the OpenAPI document of one API', () => {
      it.each(['translator', 'containers', 'platform', 'control'])(
        'of %s is valid, and has its operations alone',
        async (name) => {
          const part = await document(`?service=${name}`);
          const result = await new Validator().validate(structuredClone(part));
          expect(result.errors ?? []).toEqual([]);
          // biome-ignore lint/suspicious/noExplicitAny: of every shape
          const operations = Object.values<any>(part.paths).flatMap((item) => Object.values<any>(item));
          expect(operations.length).toBeGreaterThan(10);
          expect(operations.every(({ tags }) => tags[0] === name)).toBe(true);
          expect(part.servers).toEqual([{ url: bench.jar.url }]);
          expect(part.tags).toHaveLength(1);
          const text = JSON.stringify(part);
          for (const [, kind = '', key = ''] of text.matchAll(/"#\/components\/(\w+)\/([^"]+)"/g))
            expect(part.components[kind]).toHaveProperty([key]);
        },
      );

      it('names the api-versions that an operation takes', async () => {
        const { paths } = await document('?service=resources');
        expect(paths['/subscriptions/{subscriptionId}'].get.parameters).toContainEqual({
          name: 'api-version',
          in: 'query',
          required: true,
          schema: { type: 'string', enum: expect.arrayContaining(['2022-12-01']) },
        });
      });
    });
  },
  {
    services: SERVICES,
    settings: { business: { customApis: [CUSTOM] } },
  },
);

describe('a schema in words', () => {
  const schemas = {
    Node: { type: 'object', properties: { name: { type: 'string' }, next: { $ref: '#/components/schemas/Node' } } },
  };
  test.each<[string, unknown, string]>([
    ['a text', { type: 'string' }, 'string'],
    ['a format', { type: 'string', format: 'uuid' }, 'string (uuid)'],
    ['a choice', { enum: ['a', 'b'] }, '"a" | "b"'],
    ['alternatives', { anyOf: [{ type: 'string' }, { type: 'null' }] }, 'string | null'],
    ['a list', { type: 'array', items: { type: 'integer' } }, 'integer[]'],
    ['a map', { type: 'object', additionalProperties: { type: 'number' } }, '{ [name: string]: number }'],
    [
      'an object',
      { type: 'object', required: ['a'], properties: { a: { type: 'string', description: 'First' }, 'b-c': true } },
      '{\n  a: string  // First\n  "b-c"?: any\n}',
    ],
    ['a circle', { $ref: '#/components/schemas/Node' }, '{\n  name?: string\n  next?: Node\n}'],
    ['nothing known', {}, 'any'],
  ])('%s', (_title, schema, expected) => {
    expect(schemaText(schema, schemas)).toBe(expected);
  });

  it('has an end, however deep or wide the schema is', () => {
    let deep: unknown = { type: 'string' };
    for (let i = 0; i < 50; i++) deep = { type: 'object', properties: { in: deep } };
    expect(schemaText(deep, {})).toContain('{ … }');
    const properties = Object.fromEntries(Array.from({ length: 2_000 }, (_, i) => [`p${i}`, { type: 'string' }]));
    expect(schemaText({ type: 'object', properties }, {}).split('\n').length).toBeLessThanOrEqual(301);
  });
});
