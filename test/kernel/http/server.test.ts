import { request as plainRequest } from 'node:http';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';
import { ApiError } from '../../../src/kernel/http/errors.ts';
import type { ApiFamily } from '../../../src/kernel/http/family.ts';
import { ok } from '../../../src/kernel/http/route.ts';
import { route } from '../../../src/kernel/service/routes.ts';
import { SERVICES } from '../../../src/services.ts';
import { withJar } from '../../support/jars.ts';
import { wholeService } from '../../support/whole-service.ts';

/** A family with its own error format, to check that the kernel's errors use it. */
const FAMILY: ApiFamily = {
  name: 'flat',
  steps: [],
  renderError: (error) => ({
    status: error.status,
    headers: { ...error.headers },
    body: { fault: error.code, text: error.message, field: error.target },
  }),
  commonHeaders: (call) => ({ 'x-flat': call.requestId }),
  bodyLimitBytes: 1000,
  cors: false,
  codes: {
    malformedJson: 'E1',
    invalidBody: 'E2',
    invalidQuery: 'E3',
    bodyTooLarge: 'E4',
    unsupportedMediaType: 'E5',
    notFound: 'E6',
    methodNotAllowed: 'E7',
    preconditionFailed: 'E8',
    internal: 'E9',
    unavailable: 'E10',
  },
};

const FLAT = wholeService({
  name: 'flat',
  title: 'Flat',
  family: FAMILY,
  mounts: ['/flat'],
  routes: [
    route({
      method: 'POST',
      path: '/flat/items',
      operation: 'Flat_Add',
      summary: '',
      query: Type.Object({ count: Type.Optional(Type.Integer({ minimum: 1 })), dry: Type.Optional(Type.Boolean()) }),
      body: Type.Object({
        name: Type.String({ minLength: 1 }),
        size: Type.Optional(Type.Object({ width: Type.Number() })),
      }),
      handle: (call) => ok({ name: call.body.name, count: call.query.count ?? null, dry: call.query.dry ?? null }),
    }),
    route({ method: 'GET', path: '/flat/items', operation: 'Flat_List', summary: '', handle: () => ok([{ a: 1 }]) }),
    route({
      method: 'POST',
      path: '/flat/form',
      operation: 'Flat_Form',
      summary: '',
      accepts: 'form',
      body: Type.Object({ a: Type.String() }),
      handle: (call) => ok(call.body),
    }),
    route({
      method: 'POST',
      path: '/flat/bytes',
      operation: 'Flat_Bytes',
      summary: '',
      accepts: 'bytes',
      handle: (call) => ok({ length: (call.body as Buffer).length }),
    }),
    route({
      method: 'GET',
      path: '/flat/bug',
      operation: 'Flat_Bug',
      summary: '',
      handle: () => {
        throw new Error('the secret inside');
      },
    }),
    route({
      method: 'GET',
      path: '/flat/refusal',
      operation: 'Flat_Refusal',
      summary: '',
      handle: () => {
        throw new ApiError(418, 'Teapot', 'Short and stout.', { headers: { 'x-tea': 'yes' } });
      },
    }),
    route({
      method: 'GET',
      path: '/flat/stream',
      operation: 'Flat_Stream',
      summary: '',
      handle: () => ok(Readable.from(['a', 'b', 'c']), { 'content-type': 'text/plain' }),
    }),
    route({
      method: 'GET',
      path: '/flat/nothing',
      operation: 'Flat_Nothing',
      summary: '',
      handle: () => ({ status: 204 }),
    }),
  ],
});

withJar(
  (bench) => {
    const refused = async (
      method: string,
      path: string,
      options: Parameters<typeof bench.call>[2],
      status: number,
      fault: string,
    ) => {
      const reply = await bench.call(method, path, { token: null, ...options });
      expect({ status: reply.status, fault: reply.body?.fault }).toEqual({ status, fault });
      expect(reply.headers.get('x-flat')).toBeTruthy();
      return reply;
    };

    describe("refuses in the family's own shape", () => {
      it('malformed JSON, saying where', async () => {
        expect((await refused('POST', '/flat/items', { body: '{"name": "x",}' }, 400, 'E1')).body.text).toContain(
          'position 13',
        );
      });
      it('another content type', () =>
        refused('POST', '/flat/items', { body: 'a', headers: { 'content-type': 'text/plain' } }, 415, 'E5'));
      it('a content type that cannot be read', () =>
        refused('POST', '/flat/items', { body: '{}', headers: { 'content-type': ';;' } }, 415, 'E5'));
      it('a body that is too large', () =>
        refused('POST', '/flat/items', { body: { name: 'x'.repeat(2000) } }, 413, 'E4'));
      it('a compressed body', () =>
        refused('POST', '/flat/items', { body: { name: 'x' }, headers: { 'content-encoding': 'gzip' } }, 415, 'E5'));
      it('no body', () => refused('POST', '/flat/items', {}, 400, 'E2'));
      it('a missing property, by name', async () => {
        expect((await refused('POST', '/flat/items', { body: {} }, 400, 'E2')).body).toMatchObject({ field: 'name' });
      });
      it('a nested property of the wrong type, by name', async () => {
        const reply = await refused('POST', '/flat/items', { body: { name: 'x', size: { width: 'wide' } } }, 400, 'E2');
        expect(reply.body).toMatchObject({ field: 'size.width' });
      });
      it('a query parameter of the wrong type, by name', async () => {
        expect(
          (await refused('POST', '/flat/items?count=many', { body: { name: 'x' } }, 400, 'E3')).body,
        ).toMatchObject({ field: 'count' });
      });
      it('a query parameter given twice', () =>
        refused('POST', '/flat/items?count=1&count=2', { body: { name: 'x' } }, 400, 'E3'));
      it('a form parameter given twice', () =>
        refused(
          'POST',
          '/flat/form',
          { body: 'a=1&a=2', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
          400,
          'E2',
        ));
      it('an unknown route below its mount', () => refused('GET', '/flat/unknown', {}, 404, 'E6'));
      it('a wrong method, naming the right ones', async () => {
        expect((await refused('DELETE', '/flat/items', {}, 405, 'E7')).headers.get('allow')).toBe('POST, GET');
      });
      it('its own errors with their headers', async () => {
        expect((await refused('GET', '/flat/refusal', {}, 418, 'Teapot')).headers.get('x-tea')).toBe('yes');
      });
      it('a bug, without a word of what is inside', async () => {
        const reply = await refused('GET', '/flat/bug', {}, 500, 'E9');
        expect(reply.text).not.toMatch(/secret|\.ts|at /);
      });
    });

    describe('reads what is sent', () => {
      it('numbers and switches in the query, in any casing of their names', async () => {
        const reply = await bench.call('POST', '/flat/items?COUNT=3&dry=TRUE', { body: { name: 'x' } });
        expect(reply.body).toEqual({ name: 'x', count: 3, dry: true });
      });
      it('JSON with a byte order mark, and without a content type', async () => {
        const reply = await bench.call('POST', '/flat/items', {
          body: '\uFEFF{"name":"x"}',
          headers: { 'content-type': 'application/json;charset=utf-8' },
        });
        expect(reply.body.name).toBe('x');
        const bare = await fetch(`${bench.jar.url}/flat/items`, { method: 'POST', body: Buffer.from('{"name":"y"}') });
        expect(((await bare.json()) as { name: string }).name).toBe('y');
      });
      it('forms and bytes', async () => {
        const form = await bench.call('POST', '/flat/form', {
          body: 'a=x+y%21',
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
        });
        expect(form.body).toEqual({ a: 'x y!' });
        const bytes = await bench.call('POST', '/flat/bytes', {
          body: 'four',
          headers: { 'content-type': 'image/png' },
        });
        expect(bytes.body).toEqual({ length: 4 });
      });
    });

    describe('answers', () => {
      it('streams', async () => expect((await bench.call('GET', '/flat/stream')).text).toBe('abc'));
      it('HEAD like GET, without the body', async () => {
        const reply = await bench.call('HEAD', '/flat/items');
        expect([reply.status, reply.text, reply.headers.get('content-length')]).toEqual([200, '', '9']);
      });
      it('204 without a body or a length', async () => {
        const reply = await bench.call('GET', '/flat/nothing');
        expect([reply.status, reply.headers.get('content-length'), reply.headers.get('content-type')]).toEqual([
          204,
          null,
          null,
        ]);
      });
      it('the same over HTTPS with only the authority trusted', async () => {
        const secure = await bench.call('GET', `${bench.jar.httpsUrl}/flat/items`);
        expect(secure.body).toEqual([{ a: 1 }]);
      });
      it('no page of another origin where the family does not want it', async () => {
        const reply = await bench.call('GET', '/flat/items', { headers: { origin: 'http://elsewhere.example' } });
        expect(reply.headers.get('access-control-allow-origin')).toBeNull();
      });
    });

    describe('survives', () => {
      it('a client that goes away in the middle of its request', async () => {
        const { port } = new URL(bench.jar.url);
        await new Promise<void>((resolve) => {
          const outgoing = plainRequest({
            port,
            method: 'POST',
            path: '/flat/items',
            headers: { 'content-length': 500, 'content-type': 'application/json' },
          });
          outgoing.on('error', () => resolve());
          outgoing.write('{"name":', () => outgoing.destroy());
          outgoing.on('close', () => resolve());
        });
        expect((await bench.call('GET', '/flat/items')).status).toBe(200);
      });
      it('a header that cannot be sent', async () => {
        const token = await bench.jar.token({ audience: 'caf\u00e9 \u2192 \ud800' });
        const reply = await bench.call('GET', '/subscriptions?api-version=2022-12-01', { token });
        expect(reply.status).toBe(401);
        expect(reply.headers.get('www-authenticate')).toContain("'caf? ? ?'");
      });
      it('HEAD of something that never ends', async () => {
        expect((await bench.call('HEAD', '/_jar/events', { token: bench.jar.adminKey })).status).toBe(200);
      });
      it('the absolute form of an address', async () => {
        const { port } = new URL(bench.jar.url);
        const answer = await new Promise<string>((resolve) => {
          const socket = connect(Number(port), '127.0.0.1', () =>
            socket.write(`GET http://127.0.0.1:${port}/flat/items HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`),
          );
          let text = '';
          socket.on('data', (chunk) => {
            text += chunk;
          });
          socket.on('close', () => resolve(text));
        });
        expect(answer).toMatch(/^HTTP\/1\.1 200/);
      });
      it('bytes that are not HTTP', async () => {
        const { port } = new URL(bench.jar.url);
        const answer = await new Promise<string>((resolve) => {
          const socket = connect(Number(port), '127.0.0.1', () => socket.end('\u0000\u0001 nonsense\r\n\r\n'));
          let text = '';
          socket.on('data', (chunk) => {
            text += chunk;
          });
          socket.on('close', () => resolve(text));
          socket.on('error', () => resolve(text));
        });
        expect(answer).toContain('400');
      });
      it('a body nested a hundred thousand deep', async () => {
        const deep = `${'['.repeat(450)}${']'.repeat(450)}`;
        expect((await bench.call('POST', '/flat/items', { body: deep })).status).toBe(400);
        const huge = '['.repeat(100_000);
        const groups = '/subscriptions/10000000-0000-4000-8000-0000000000f1/resourceGroups/x?api-version=2025-04-01';
        expect((await bench.call('PUT', groups, { body: huge + ']'.repeat(100_000) })).status).toBe(400);
      });
      it('names that mean something to JavaScript', async () => {
        const reply = await bench.call('POST', '/flat/items?__proto__=1&constructor=2', {
          body: '{"name":"x","__proto__":{"polluted":true}}',
        });
        expect(reply.status).toBe(200);
        expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
      });
    });

    it('offers a valid description of all of it', async () => {
      const { Validator } = await import('@seriousme/openapi-schema-validator');
      const reply = await bench.call('GET', '/_jar/openapi.json', { token: bench.jar.adminKey });
      const result = await new Validator().validate(structuredClone(reply.body));
      expect(result.errors ?? []).toEqual([]);
      expect(reply.body.openapi).toMatch(/^3\.1/);
      expect(Object.keys(reply.body.paths)).toContain(
        '/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}',
      );
    });

    it('counts every request by service, operation and status', async () => {
      await bench.call('GET', '/flat/refusal');
      const { text } = await bench.call('GET', '/_jar/metrics', { token: bench.jar.adminKey });
      expect(text).toMatch(/^cloudjar_requests_total\{service="flat",operation="Flat_Refusal",status="418"\} \d+$/m);
      expect(text).toMatch(
        /^cloudjar_request_duration_seconds_bucket\{service="flat",operation="Flat_List",le="\+Inf"\} \d+$/m,
      );
      expect(text).toMatch(/^cloudjar_work_waiting \d+$/m);
    });
  },
  { services: [...SERVICES, FLAT] },
);
