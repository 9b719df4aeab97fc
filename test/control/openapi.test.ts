import { readdirSync, readFileSync } from 'node:fs';
import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Owner } from '../../src/kernel/http/owner.ts';
import type { Route } from '../../src/kernel/http/route.ts';
import { Router } from '../../src/kernel/http/router.ts';
import { SERVICES } from '../../src/services.ts';
import { startJar, type TestJar } from '../../src/testing/index.ts';
import { undeclared } from '../support/declared.ts';

// biome-ignore lint/suspicious/noExplicitAny: operations of every shape are looked into
type Any = any;

let jar: TestJar;
let document: Any;
/** The routes that the jar really serves, from its router. */
const answered: { readonly route: Route; readonly owner: Owner }[] = [];

const ask = (path: string) => fetch(`${jar.url}${path}`, { headers: { authorization: `Bearer ${jar.adminKey}` } });

beforeAll(async () => {
  const add = Router.prototype.add;
  const spy = vi.spyOn(Router.prototype, 'add').mockImplementation(function (this: Router<unknown>, route, owner) {
    answered.push({ route, owner: owner as Owner });
    add.call(this, route, owner);
  });
  try {
    jar = await startJar({ services: SERVICES });
    document = await (await ask('/_jar/openapi.json')).json();
  } finally {
    spy.mockRestore();
  }
});
afterAll(() => jar?.close());

const isControl = ({ owner }: { owner: Owner }): boolean => owner.name === 'control';
const shapeOf = (path: string): string => path.replace(/\{[^}]*\}/g, '{}');

function operationOf({ method, path }: Route): Any {
  const found = Object.keys(document.paths).find((each) => shapeOf(each) === shapeOf(path));
  return found === undefined ? undefined : document.paths[found][method.toLowerCase()];
}

const operations = (): [path: string, method: string, operation: Any][] =>
  Object.entries<Any>(document.paths).flatMap(([path, item]) =>
    Object.entries<Any>(item).map(([method, operation]): [string, string, Any] => [path, method, operation]),
  );
const ofControl = () => operations().filter(([, , { tags }]) => tags.includes('control'));

describe('the OpenAPI document of a jar', () => {
  it('has every route that the control API answers, those of services and their settings included', () => {
    const routes = answered.filter(isControl).map(({ route }) => route);
    for (const route of routes) {
      const place = `${route.method} ${route.path}`;
      const operation = operationOf(route);
      expect(operation, place).toMatchObject({ tags: ['control'], summary: route.summary });
      expect(operation.operationId, place).toBe(route.operation);
    }
    expect(ofControl()).toHaveLength(routes.length);
    const services = new Set(routes.map(({ path }) => path.split('/')[2]));
    expect([...services]).toEqual(expect.arrayContaining(['business', 'events', 'lifecycle', 'translator', 'work']));
    expect(document.paths).toHaveProperty(['/_jar/business/settings']);
  });

  it('has every other route of the jar', () => {
    const sockets = SERVICES.flatMap(({ sockets = [], apis = [] }) => [
      ...sockets,
      ...apis.flatMap((api) => api.sockets ?? []),
    ]).map(({ operation }) => operation);
    const missing = answered.filter(({ route }) => !sockets.includes(route.operation) && !operationOf(route));
    expect(missing.map(({ route }) => `${route.method} ${route.path}`)).toEqual([]);
  });

  it('is valid', async () => {
    const result = await new Validator().validate(structuredClone(document));
    expect(result.errors ?? []).toEqual([]);
    const ids = operations().map(([, , { operationId }]) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('says that the control API requires the admin key, and which routes are open', async () => {
    expect(document.components.securitySchemes.adminKey).toMatchObject({ type: 'http', scheme: 'bearer' });
    for (const { route } of answered.filter(isControl)) {
      expect(operationOf(route).security, route.path).toEqual(route.open ? [] : [{ adminKey: [] }]);
    }
    expect(document.paths['/_jar/work'].get.responses).toMatchObject({ 401: {}, 403: {} });
    expect(document.tags).toContainEqual({ name: 'control', description: 'Control API' });
  });

  it('has the errors of the control API as they are', async () => {
    const schema = { $ref: '#/components/schemas/controlError' };
    for (const [path, , { responses }] of ofControl()) {
      expect(responses.default, path).toEqual({ $ref: '#/components/responses/controlError' });
    }
    const refused = [await fetch(`${jar.url}/_jar/work`), await ask('/_jar/work?$top=0'), await ask('/_jar/nothing')];
    expect(refused.map(({ status }) => status)).toEqual([401, 400, 404]);
    for (const each of refused) expect(undeclared(document, schema, await each.json())).toEqual([]);
  });

  it('says of every operation of the control API what a success looks like', () => {
    const silent = ofControl().filter(([, , { responses, operationId }]) => {
      const success = Object.entries<Any>(responses).filter(([status]) => status.startsWith('2'));
      const isTold = success.some(([status, { content }]) => status === '204' || content !== undefined);
      // The answers of an inbox depend on its behaviour.
      return !isTold && !operationId.startsWith('Jar_InboxReceive');
    });
    expect(silent.map(([path, method]) => `${method} ${path}`)).toEqual([]);
  });

  it('has in its schemas what the control API answers: nothing more, and nothing less', async () => {
    const problems: string[] = [];
    let looked = 0;
    await jar.snapshot('described');
    /** Queries of operations with required parameters. */
    const queries: Readonly<Record<string, string>> = {
      '/_jar/clock/preview': '?by=30d',
      '/_jar/snapshots/compare': '?from=described',
    };
    for (const [path, method, { responses }] of ofControl()) {
      const schema = responses[200]?.content?.['application/json']?.schema;
      // The OpenAPI document itself is described elsewhere; a session is told to the browser that has one.
      const isElsewhere = path === '/_jar/openapi.json' || path === '/_jar/console/session';
      if (method !== 'get' || path.includes('{') || !schema || isElsewhere) continue;
      const answer = await ask(path + (queries[path] ?? ''));
      expect(answer.status, path).toBe(200);
      problems.push(...undeclared(document, schema, await answer.json(), path));
      looked++;
    }
    expect(problems).toEqual([]);
    expect(looked).toBeGreaterThan(20);
  });

  it('names the properties by which lists are filtered and ordered', () => {
    const parameters = document.paths['/_jar/work'].get.parameters;
    const named = parameters.map(({ name }: Any) => name);
    expect(named).toEqual(['$filter', '$orderby', '$top', '$skiptoken']);
    expect(parameters[0].description).toMatch(/of id, kind, state, dueAt, attempts, reason$/);
  });

  it('has nothing of the control API that the pages of docs do not mention', () => {
    const folder = new URL('../../docs/', import.meta.url);
    const pages = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.md'))
      .map((name) => readFileSync(new URL(name, folder), 'utf8'));
    const text = pages.join('\n').replace(/\{[^}\s]*\}/g, '{}');
    // A route is mentioned by its path, or by the part of the path after the last parameter.
    const isMentioned = (path: string): boolean =>
      [path, path.slice(path.lastIndexOf('{}'))].some((each) => each.length > 3 && text.includes(each));
    const paths = new Set(ofControl().map(([path]) => shapeOf(path)));
    expect([...paths].filter((path) => path !== '/' && !isMentioned(path))).toEqual([]);
  });

  it('declares the content type of answers that are not JSON', () => {
    const typesAt = (path: string) => Object.keys(document.paths[path].get.responses[200].content);
    expect(typesAt('/_jar/metrics')).toEqual(['text/plain']);
    expect(typesAt('/_jar/events')).toEqual(['text/event-stream']);
    const live = document.paths['/_jar/live'].get.responses[200].content['text/event-stream'];
    expect(live['x-events']).toEqual({ tick: { $ref: '#/components/schemas/Jar_Live_tick' } });
    expect(document.components.schemas.Jar_Live_tick.properties).toHaveProperty('stateReplaced');
    expect(typesAt('/_jar/snapshots/{name}/content')).toEqual(['application/gzip']);
  });
});
