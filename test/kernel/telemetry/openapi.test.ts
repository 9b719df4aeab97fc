import { Validator } from '@seriousme/openapi-schema-validator';
import Type from 'typebox';
import { describe, expect, it } from 'vitest';
import type { ApiFamily } from '../../../src/kernel/http/family.ts';
import { noContent, type Route } from '../../../src/kernel/http/route.ts';
import { type DescribedApi, openapi } from '../../../src/kernel/openapi/openapi.ts';
import { route } from '../../../src/kernel/service/routes.ts';

const family: ApiFamily = {
  name: 'management plane',
  steps: [],
  renderError: (error) => ({ status: error.status, body: {} }),
  errorSchema: Type.Object({ error: Type.Object({ code: Type.String(), message: Type.String() }) }),
  commonHeaders: () => ({}),
  bodyLimitBytes: 1,
  cors: false,
  codes: {
    malformedJson: 'a',
    invalidBody: 'a',
    invalidQuery: 'a',
    bodyTooLarge: 'a',
    unsupportedMediaType: 'a',
    notFound: 'a',
    methodNotAllowed: 'a',
    preconditionFailed: 'a',
    internal: 'a',
    unavailable: 'a',
  },
};

function service(name: string, ...routes: Route[]): DescribedApi {
  return { name, title: `The ${name} service`, family, routes };
}

const handle = () => noContent();
const get = (path: string, operation: string, more: object = {}) =>
  route({ method: 'GET', path, operation, summary: operation, handle, ...more });

const Tags = Type.Record(Type.String(), Type.String());
const Group = Type.Object(
  {
    location: Type.String({ description: 'Where it is.' }),
    tags: Type.Optional(Tags),
    default: Type.Optional(Type.Integer()),
  },
  { $id: 'Group', additionalProperties: false },
);
const Node = Type.Cyclic({ Node: Type.Object({ next: Type.Optional(Type.Ref('Node')) }) }, 'Node');

function document(...apis: DescribedApi[]) {
  return openapi({ apis, version: '1.2.3', serverUrl: 'http://127.0.0.1:7400' });
}

const resources = service(
  'resources',
  get('/subscriptions/{subscriptionId}/resourcegroups/{name}', 'Groups_Get', {
    query: Type.Object({
      'api-version': Type.String(),
      $top: Type.Optional(Type.Integer({ description: 'How many.' })),
    }),
    responses: { 200: Group, 404: 'There is no such group.' },
  }),
  route({
    method: 'PUT',
    path: '/subscriptions/{id}/resourcegroups/{group}',
    operation: 'Groups_Put',
    summary: 'Makes a group.',
    body: Group,
    responses: { 200: Group, 201: Group },
    handle,
  }),
  get('/{scope}/providers/Vendor.Events/subscriptions/{name}', 'Events_Get'),
  get('/companies({company})/customers({customer})', 'Customers_Get', { responses: { 200: Node } }),
  get('/_jar/inbox/{rest*}', 'Inbox', { open: true }),
);

const identity = service(
  'identity',
  route({
    method: 'POST',
    path: '/{tenant}/oauth2/token',
    operation: 'Groups_Get',
    summary: 'Issues a token.',
    accepts: 'form',
    bodyOptional: true,
    open: true,
    body: Type.Object({ grant_type: Type.String() }),
    handle,
  }),
  get('/tree', 'Groups_Get', { responses: { 200: Node } }),
  get('/leaf', 'Groups_Get', {
    query: Type.Intersect([Type.Object({ a: Type.String() }), Type.Object({ b: Type.Number() })]),
  }),
);

describe('the OpenAPI document', () => {
  const full = document(resources, identity);

  it('is valid OpenAPI 3.1', async () => {
    const validator = new Validator();
    const result = await validator.validate(JSON.parse(JSON.stringify(full)));
    expect(result.errors ?? []).toEqual([]);
    expect(result.valid).toBe(true);
    expect(validator.version).toBe('3.1');
  });

  it('describes an operation with its parameters, answers and errors', () => {
    expect(full.paths['/subscriptions/{subscriptionId}/resourcegroups/{name}']?.get).toEqual({
      operationId: 'Groups_Get',
      summary: 'Groups_Get',
      tags: ['resources'],
      parameters: [
        { name: 'subscriptionId', in: 'path', required: true, schema: { type: 'string' } },
        { name: 'name', in: 'path', required: true, schema: { type: 'string' } },
        { name: 'api-version', in: 'query', required: true, schema: { type: 'string' } },
        { name: '$top', in: 'query', description: 'How many.', schema: { type: 'integer', description: 'How many.' } },
      ],
      responses: {
        200: { description: 'OK', content: { 'application/json': { schema: { $ref: '#/components/schemas/Group' } } } },
        404: { description: 'There is no such group.' },
        default: { $ref: '#/components/responses/management_planeError' },
      },
    });
  });

  it('joins paths that differ only in the names of their parameters', () => {
    const item = full.paths['/subscriptions/{subscriptionId}/resourcegroups/{name}'];
    expect(Object.keys(item ?? {})).toEqual(['get', 'put']);
    expect(item?.put).toMatchObject({ parameters: [{ name: 'subscriptionId' }, { name: 'name' }] });
    expect(full.paths).not.toHaveProperty('/subscriptions/{id}/resourcegroups/{group}');
  });

  it('names exactly the parameters that stand in the path', () => {
    for (const [path, item] of Object.entries(full.paths)) {
      for (const operation of Object.values(item) as { parameters: { name: string; in: string }[] }[]) {
        const named = operation.parameters.filter((each) => each.in === 'path').map((each) => `{${each.name}}`);
        expect(path.match(/\{[^}]+\}/g) ?? []).toEqual(named);
      }
    }
  });

  it('marks the parameters that take several segments', () => {
    const scoped = full.paths['/{scope}/providers/Vendor.Events/subscriptions/{name}']?.get;
    expect(scoped).toMatchObject({ parameters: [{ name: 'scope', 'x-ms-skip-url-encoding': true }, { name: 'name' }] });
    expect(full.paths['/_jar/inbox/{rest}']?.get).toMatchObject({
      parameters: [{ name: 'rest', 'x-ms-skip-url-encoding': true }],
      security: [],
    });
  });

  it('keeps keys in parentheses as they are', () => {
    expect(full.paths).toHaveProperty(['/companies({company})/customers({customer})']);
  });

  it('gives every operation an id of its own', () => {
    const ids = Object.values(full.paths).flatMap((item) =>
      (Object.values(item) as { operationId: string }[]).map((operation) => operation.operationId),
    );
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toEqual(expect.arrayContaining(['Groups_Get', 'identity_Groups_Get', 'identity_Groups_Get_2']));
  });

  it('says how a form is sent and that it may be left out', () => {
    expect(full.paths['/{tenant}/oauth2/token']?.post).toMatchObject({
      requestBody: {
        required: false,
        content: { 'application/x-www-form-urlencoded': { schema: { type: 'object' } } },
      },
    });
  });

  it('takes the parameters of combined query schemas together', () => {
    expect(full.paths['/leaf']?.get).toMatchObject({ parameters: [{ name: 'a' }, { name: 'b' }] });
  });

  it('defines named and recursive schemas once, and refers to them', () => {
    expect(full.components.schemas).toMatchObject({
      Group: { type: 'object', properties: { default: { type: 'integer' } }, required: ['location'] },
      Node: { type: 'object', properties: { next: { $ref: '#/components/schemas/Node' } } },
    });
    expect(JSON.stringify(full)).not.toMatch(/"\$(?:id|defs)"/);
    const references = JSON.stringify(full).match(/(?<="\$ref":"#\/components\/)[^"]+/g) ?? [];
    for (const each of references) expect(full.components).toHaveProperty(each.split('/'));
    expect(references.length).toBeGreaterThan(5);
  });

  it('tells how callers say who they are, and what is refused to them, where a family knows', async () => {
    const keyed: ApiFamily = {
      ...family,
      credentials: ({ open }) => (open ? [] : [{ header: 'X-Key' }, 'bearer']),
      refusals: ({ method }): Record<number, string> =>
        method === 'POST' ? { 401: 'No key', 411: 'No body' } : { 401: 'No key' },
    };
    const post = route({ method: 'POST', path: '/x', operation: 'Post', summary: 'Post', handle });
    const described = document({
      ...service('keyed', get('/x', 'Get', { responses: { 401: 'Its own' } }), get('/y', 'Open', { open: true }), post),
      family: keyed,
    });
    const error = { $ref: '#/components/schemas/management_planeError' };
    expect(described.components.securitySchemes).toEqual({
      bearer: { type: 'http', scheme: 'bearer' },
      'X-Key': { type: 'apiKey', in: 'header', name: 'X-Key' },
    });
    expect(described.paths['/y']?.get).toMatchObject({ security: [] });
    expect(described.paths['/x']?.get).toMatchObject({ responses: { 401: { description: 'Its own' } } });
    expect(described.paths['/x']?.get).not.toHaveProperty('requestBody');
    expect(described.paths['/x']?.post).toMatchObject({
      security: [{ 'X-Key': [] }, { bearer: [] }],
      requestBody: { required: true },
      responses: { 411: { description: 'No body', content: { 'application/json': { schema: error } } } },
    });
    expect((await new Validator().validate(JSON.parse(JSON.stringify(described)))).errors ?? []).toEqual([]);
  });

  it('refuses two operations at one place', () => {
    const twice = service('a', get('/x/{a}', 'One'), get('/x/{b}', 'Two'));
    expect(() => document(twice)).toThrow('GET /x/{b} is declared twice');
  });

  it('is valid without any service', async () => {
    expect((await new Validator().validate(JSON.parse(JSON.stringify(document())))).valid).toBe(true);
  });
});
