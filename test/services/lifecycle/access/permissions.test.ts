import undici from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openJar, type RunningJar } from '../../../../src/jar/index.ts';
import { loadConfig } from '../../../../src/kernel/config/config.ts';
import type { Route } from '../../../../src/kernel/http/route.ts';
import type { Jar } from '../../../../src/kernel/service/jar.ts';
import type { Service } from '../../../../src/kernel/service/service.ts';
import { findApp } from '../../../../src/services/lifecycle/access/find.ts';
import { newSecret } from '../../../../src/services/lifecycle/access/secrets.ts';
import { type Scope, users } from '../../../../src/services/lifecycle/collections.ts';
import { LIFECYCLE } from '../../../../src/services/lifecycle/index.ts';
import { lifecycleRoutes } from '../../../../src/services/lifecycle/routes.ts';
import { type NewToken, putToken } from '../../../../src/services/lifecycle/tokens/manage.ts';
import { SERVICES } from '../../../../src/services.ts';
import { SEED } from '../people.ts';
import { EXPECTED, type Expected } from './expected-permissions.ts';

/**
 * Every operation with every kind of token and role: the real gateway with its table, in front of handlers that only report that they were
 * reached. The expectations are in `expected-permissions.ts`, independent of the program.
 */
const REACHED = 299;
const reached = () => ({ status: REACHED });
/** Without schemas as well, because the requests have no meaningful content. */
const bareRoute = ({ query: _, body: __, ...route }: Route): Route => ({ ...route, handle: reached });
const bare: Service = {
  ...LIFECYCLE,
  async open(jar) {
    const parts = await LIFECYCLE.open(jar);
    return { ...parts, routes: parts.routes!.map(bareRoute) };
  },
};

const operations = lifecycleRoutes.filter(({ open }) => !open);
const idOf = ({ operation }: Route): string => operation.replace('Lifecycle_', '');

/** The rank of the seeded users in its apps and its organization. */
const IN_APPS = {
  'owner/phone': { stranger: 0, 'org-admin': 0, viewer: 1, developer: 2, manager: 3, owner: 4 },
  'acme/desk': {
    stranger: 0,
    owner: 0,
    member: 0,
    collaborator: 0,
    viewer: 1,
    developer: 2,
    manager: 3,
    'org-admin': 4,
  },
} as const;
const IN_ACME = { stranger: 0, owner: 0, member: 1, viewer: 1, collaborator: 2, 'org-admin': 3 } as const;
const APP_RANK = { viewer: 1, developer: 2, manager: 3, administrator: 4 } as const;
const ORG_RANK = { member: 1, collaborator: 2, admin: 3 } as const;

/** An app token has at most a manager's rights. */
const MOST_OF_APP_TOKEN = 3;

interface Bearer {
  readonly person: string;
  /** The token's app, for an app token. */
  readonly app?: string;
  readonly scope: Scope;
  readonly secret: string;
}

let running: RunningJar;
let pool: undici.Pool;
const bearers: Bearer[] = [];
const people = new Set([...Object.values(IN_APPS).flatMap((each) => Object.keys(each)), ...Object.keys(IN_ACME)]);

/** Creates a token without checking if the API would allow it. */
async function tokenOf(jar: Jar, wanted: NewToken): Promise<string> {
  const secret = newSecret();
  const createdAt = new Date(jar.clock.now()).toISOString();
  await jar.store.transact((tx) => putToken(tx, jar, wanted, { secret, createdAt }));
  return secret;
}

beforeAll(async () => {
  const flags = { memory: true, port: 0, httpsPort: 0, clock: 'virtual', engine: 'simulated', seed: SEED };
  const services = SERVICES.map((service) => (service === LIFECYCLE ? bare : service));
  running = await openJar({ config: loadConfig({ flags, env: {}, cwd: '/' }), services, inProcess: true });
  pool = new undici.Pool(running.url, { connections: 8, pipelining: 8 });
  const { jar } = running;
  for (const person of people) {
    const filter = { op: 'eq', field: 'name', value: person } as const;
    const userId = (await jar.store.query(users, { filter, limit: 1 })).items[0]?.key ?? '';
    for (const scope of ['all', 'viewer'] as const) {
      bearers.push({ person, scope, secret: await tokenOf(jar, { userId, scope }) });
      for (const app of ['owner/phone', 'acme/desk', 'owner/other']) {
        if (app === 'owner/other' && person !== 'owner') continue;
        const [ownerName = '', appName = ''] = app.split('/');
        const appId = (await findApp(jar.store, ownerName, appName))?.id ?? '';
        // Some of these users cannot create one now, but could have in an earlier role.
        bearers.push({ person, app, scope, secret: await tokenOf(jar, { userId, appId, scope }) });
      }
    }
  }
});
afterAll(async () => {
  await pool.close();
  await running.close();
});

async function statusFor(route: Route, places: Record<string, string>, token: string | undefined): Promise<number> {
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(places[name] ?? 'anything'));
  const answer = await pool.request({
    path,
    method: route.method,
    headers: { ...(token !== undefined && { 'x-api-token': token }), 'content-type': 'application/json' },
    body: ['POST', 'PUT', 'PATCH'].includes(route.method) ? '{}' : null,
  });
  await answer.body.dump();
  return answer.statusCode;
}

function expectedOfApp(needs: Expected, standing: number, { app, scope }: Bearer, asked: string): number {
  if (app !== undefined && app !== asked) return 403;
  if (standing === 0) return 404;
  if (scope === 'viewer') return needs.readOnly ? REACHED : 403;
  const held = app === undefined ? standing : Math.min(standing, MOST_OF_APP_TOKEN);
  return held >= APP_RANK[needs.role as keyof typeof APP_RANK] ? REACHED : 403;
}

function expectedOfOrg(needs: Expected, standing: number, { app, scope }: Bearer): number {
  if (app !== undefined) return 403;
  if (standing === 0) return 404;
  if (scope === 'viewer' && !needs.readOnly) return 403;
  return standing >= ORG_RANK[needs.role as keyof typeof ORG_RANK] ? REACHED : 403;
}

const expectedOfAccount = ({ readOnly }: Expected, { app, scope }: Bearer): number =>
  app === undefined && (scope === 'all' || readOnly) ? REACHED : 403;

/** The outcome per bearer, keyed by a case title. */
async function outcomes(route: Route, needs: Expected): Promise<{ actual: object; expected: object }> {
  const cases: { title: string; status: Promise<number>; expected: number }[] = [];
  const add = (bearer: Bearer, place: string, places: Record<string, string>, expected: number): void => {
    const title = `${bearer.person} with a ${bearer.scope} token of ${bearer.app ?? 'his own'} at ${place}`;
    cases.push({ title, status: statusFor(route, places, bearer.secret), expected });
  };
  for (const bearer of bearers) {
    const { person } = bearer;
    if (needs.of === 'account') add(bearer, 'home', {}, expectedOfAccount(needs, bearer));
    if (needs.of === 'org' && person in IN_ACME) {
      const standing = IN_ACME[person as keyof typeof IN_ACME];
      add(bearer, 'acme', { org_name: 'acme' }, expectedOfOrg(needs, standing, bearer));
    }
    if (needs.of !== 'app') continue;
    for (const [app, callerIdentities] of Object.entries(IN_APPS)) {
      if (!(person in callerIdentities)) continue;
      // A token of one app is invalid for another app whatever its user, so two users are enough.
      if (bearer.app !== undefined && bearer.app !== app && person !== 'owner' && person !== 'manager') continue;
      const [owner_name = '', app_name = ''] = app.split('/');
      const standing = callerIdentities[person as keyof typeof callerIdentities];
      add(bearer, app, { owner_name, app_name }, expectedOfApp(needs, standing, bearer, app));
    }
  }
  const actual = Object.fromEntries(await Promise.all(cases.map(async ({ title, status }) => [title, await status])));
  return { actual, expected: Object.fromEntries(cases.map(({ title, expected }) => [title, expected])) };
}

describe('permissions', () => {
  it('are expected for every operation there is, and for no other', () => {
    expect(operations.map(idOf).sort()).toEqual(Object.keys(EXPECTED).sort());
  });

  it.each(operations.map((route) => [idOf(route), route] as const))('of %s', async (id, route) => {
    const needs = EXPECTED[id];
    if (!needs) throw new Error(`nothing is expected of '${id}'`);
    const { actual, expected } = await outcomes(route, needs);
    expect(actual).toEqual(expected);
    const places = { owner_name: 'owner', app_name: 'phone', org_name: 'acme' };
    expect([await statusFor(route, places, undefined), await statusFor(route, places, '')]).toEqual([401, 401]);
  });

  it.each(operations.filter((route) => EXPECTED[idOf(route)]?.orSelf).map((route) => [idOf(route), route] as const))(
    'of %s: everybody may do it to himself, with a full token of his own',
    async (_, route) => {
      const ofOrg = route.path.includes('{org_name}');
      const person = ofOrg ? 'member' : 'viewer';
      const places = { owner_name: 'owner', app_name: 'phone', org_name: 'acme' };
      const self = { ...places, user_name: 'MEMBER', user_email: 'Viewer@vendor.example' };
      for (const bearer of bearers.filter((each) => each.person === person)) {
        if (bearer.app !== undefined && bearer.app !== 'owner/phone') continue;
        const isOwnFull = bearer.app === undefined && bearer.scope === 'all';
        expect(await statusFor(route, self, bearer.secret)).toBe(isOwnFull ? REACHED : 403);
      }
    },
  );

  it('let tokens that only read change nothing', () => {
    const changing = operations.filter(({ method }) => method !== 'GET' && method !== 'HEAD').map(idOf);
    // Queries that use POST.
    const questions = ['analytics_distributionReleaseCounts', 'analytics_crashGroupsTotals', 'analytics_testAudience'];
    const wrong = changing.filter((id) => EXPECTED[id]?.readOnly && !questions.includes(id));
    expect(wrong).toEqual([]);
  });
});
