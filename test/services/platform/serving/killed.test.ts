import { describe, expect, it, type TestContext } from 'vitest';
import { usePostgresDatabase } from '../../../support/use-postgres.ts';
import { MortalJar } from '../mortal-jar.ts';

/** Updates of endpoints and deployments of apps in a jar that is killed while time advances. */

const KILLS = process.env.CLOUDJAR_SOAK === '1' ? 10 : 2;
const ENDPOINTS = '/api/2.0/serving-endpoints';
const APPS = '/api/2.0/apps';

const config = (version: number) => ({
  served_entities: [{ name: 'a', entity_name: 'system.ai.m', entity_version: String(version) }],
});

/** Work that is running when the jar dies is finished after its next start. */
class Life {
  readonly jar: MortalJar;
  /** The names that were acknowledged. */
  readonly endpoints: string[] = [];
  readonly apps: string[] = [];
  #turn = 0;

  constructor(jar: MortalJar) {
    this.jar = jar;
  }

  async advance(): Promise<void> {
    while (await this.jar.send('POST', '/_jar/clock/advance', { by: '700ms' })) {}
  }

  async use(): Promise<void> {
    for (;;) {
      const turn = this.#turn++;
      const made = await this.jar.send('POST', ENDPOINTS, { name: `e${turn}`, config: config(1) });
      if (!made) return;
      if (made.status === 200) this.endpoints.push(`e${turn}`);
      const app = await this.jar.send('POST', APPS, { name: `app-${turn % 20}` });
      if (!app) return;
      if (app.status === 200) this.apps.push(`app-${turn % 20}`);
      const old = `e${Math.max(0, turn - 3)}`;
      const calls: readonly [string, string, object][] = [
        ['PUT', `${ENDPOINTS}/${old}/config`, config(2)],
        ['POST', `/serving-endpoints/${old}/invocations`, { instances: [1] }],
        ['POST', `${APPS}/app-${turn % 20}/deployments`, { source_code_path: '/Shared' }],
        ['DELETE', `${APPS}/app-${(turn + 10) % 20}`, {}],
      ];
      for (const [method, path, body] of calls) {
        const answer = await this.jar.send(method, path, body);
        if (!answer) return;
        expect(answer.status, `${path} ${JSON.stringify(answer.body)}`).toBeLessThan(500);
      }
    }
  }
}

async function survives(context: TestContext, engine: 'sqlite' | 'postgres'): Promise<void> {
  const url = engine === 'postgres' ? await usePostgresDatabase(context, 'killed') : undefined;
  const jar = new MortalJar(['--clock', 'virtual', ...(url === undefined ? [] : ['--database-url', url])]);
  await jar.start();
  const life = new Life(jar);
  for (let kill = 0; kill < KILLS; kill++) {
    if (kill > 0) await jar.start();
    const before = life.endpoints.length;
    const running = [life.advance(), life.use()];
    await expect.poll(() => life.endpoints.length - before, { interval: 1, timeout: 60_000 }).toBeGreaterThan(5);
    await jar.kill();
    await Promise.all(running);
  }
  await jar.start();
  await jar.need('POST', '/_jar/clock/advance', { by: '1h' });
  const { endpoints } = await jar.need('GET', ENDPOINTS);
  const byName = new Map(endpoints.map((each: { name: string }) => [each.name, each]));
  for (const name of life.endpoints)
    expect(byName.get(name)).toMatchObject({ state: { ready: 'READY', config_update: 'NOT_UPDATING' } });
  const { apps } = await jar.need('GET', APPS);
  for (const { compute_status, app_status, pending_deployment } of apps) {
    expect(compute_status.state).toBe('ACTIVE');
    expect(['RUNNING', 'UNAVAILABLE']).toContain(app_status.state);
    expect(pending_deployment).toBeUndefined();
  }
  // Each remaining app has one service principal.
  const found = await jar.need(
    'GET',
    '/api/2.0/preview/scim/v2/ServicePrincipals?filter=displayName sw "app-"&count=100',
  );
  const clients = found.Resources.map(({ applicationId }: { applicationId: string }) => applicationId).sort();
  expect(clients).toEqual(
    apps.map((each: { service_principal_client_id: string }) => each.service_principal_client_id).sort(),
  );
  const { value: counts } = await jar.need('GET', '/_jar/limits?name=platform.apps');
  expect(counts[0].use[0]?.used ?? 0).toBe(apps.length);
  await jar.kill();
}

describe('data platform: endpoints and apps of a jar that is killed', () => {
  it.for(['sqlite', 'postgres'] as const)(
    '%s: what was acknowledged is there and comes to its end',
    { timeout: 240_000 },
    (engine, context) => survives(context, engine),
  );
});
