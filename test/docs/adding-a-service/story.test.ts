import { ResourceManagementClient } from '@azure/arm-resources';
import { expect, it } from 'vitest';
import { SERVICES } from '../../../src/services.ts';
import { onBothStores, SUBSCRIPTION } from '../../support/jars.ts';
import { itForgets } from '../../support/memory-probe.ts';
import { BELLS } from './index.ts';
import { probe } from './memory-probe.ts';
import { BELL } from './type.ts';
import { BELL_VERSIONS } from './versions.ts';

const GROUP = `/subscriptions/${SUBSCRIPTION}/resourceGroups/tower`;
const BELL_PATH = `${GROUP}/providers/Vendor.Bells/bells`;
const VERSION = '2026-01-01';

onBothStores(
  'a tower with bells',
  (bench) => {
    const credential = {
      getToken: async () => ({ token: await bench.jar.token(), expiresOnTimestamp: Date.now() + 3_600_000 }),
    };
    const client = () => new ResourceManagementClient(credential, SUBSCRIPTION, { endpoint: bench.jar.httpsUrl });
    const inAnHour = () => new Date(bench.jar.clock.now().getTime() + 3_600_000).toISOString();
    const put = (name: string, properties: object = {}, tags: Record<string, string> = {}) => {
      const given = { ringsAt: inAnHour(), url: bench.jar.inbox(name).httpsUrl, ...properties };
      const bell = { location: 'eastus', tags, properties: given };
      return client().resources.beginCreateOrUpdateByIdAndWait(`${BELL_PATH}/${name}`, VERSION, bell);
    };
    const rings = async (query = '') => {
      const answer = await bench.call('GET', `/_jar/bells/rings${query}`, { token: bench.jar.adminKey });
      return answer.body as { value: { id: string; bell: string; outcome?: string }[]; heardHere: number };
    };

    it('adds a resource type', async () => {
      await client().resourceGroups.createOrUpdate('tower', { location: 'eastus' });
      const made = await put('noon', { sound: 'dong' }, { floor: 'top' });
      expect(made).toMatchObject({ name: 'noon', type: 'Vendor.Bells/bells', tags: { floor: 'top' } });
      expect(made.properties).toMatchObject({ sound: 'Dong', state: 'Waiting', provisioningState: 'Succeeded' });
      await put('dusk');
      const patched = await bench.call('PATCH', `${BELL_PATH}/dusk?api-version=${VERSION}`, {
        body: { tags: { floor: 'ground' } },
      });
      expect(patched.body.tags).toEqual({ floor: 'ground' });
    });

    it('supports each of its api-versions', async () => {
      expect(BELL_VERSIONS.of('bells').names).toEqual(BELL.apiVersions);
      const old = (method: string, body?: object) =>
        bench.call(method, `${BELL_PATH}/noon?api-version=2025-06-01-preview`, { body });
      expect((await old('GET')).body.properties).not.toHaveProperty('state');
      const properties = { ringsAt: inAnHour(), url: bench.jar.inbox('noon').httpsUrl };
      const body = { location: 'eastus', properties };
      expect((await old('PUT', body)).body.error.target).toBe('properties.sound');
      expect((await old('PUT', { ...body, properties: { ...properties, sound: 'Dong' } })).status).toBe(400);
    });

    it('lists them by group and by subscription, filtered', async () => {
      const filter = encodeURIComponent("tagName eq 'floor' and tagValue eq 'top'");
      for (const list of [BELL_PATH, `/subscriptions/${SUBSCRIPTION}/providers/Vendor.Bells/bells`]) {
        const all = await bench.call('GET', `${list}?api-version=${VERSION}`);
        expect(all.body.value.map(({ name }: { name: string }) => name).sort()).toEqual(['dusk', 'noon']);
        const some = await bench.call('GET', `${list}?api-version=${VERSION}&$filter=${filter}`);
        expect(some.body.value).toMatchObject([{ name: 'noon' }]);
      }
    });

    it('names every mistake in a body', async () => {
      const properties = { ringsAt: '2001-01-01T00:00:00Z', url: 'http://example.com/', sound: 'Boom' };
      const body = { location: 'eastus', properties };
      const { status, body: answer } = await bench.call('PUT', `${BELL_PATH}/late?api-version=${VERSION}`, { body });
      expect([status, answer.error.code]).toEqual([400, 'RingTimeInThePast']);
      const targets = answer.error.details.map(({ target }: { target: string }) => target);
      expect(targets).toEqual(['properties.ringsAt', 'properties.url', 'properties.sound']);
    });

    it('rings by the clock and retries the report until it is delivered', async () => {
      const inbox = bench.jar.inbox('noon');
      await inbox.failTimes(2);
      await bench.jar.clock.advance('59m');
      expect(await inbox.requests()).toEqual([]);
      await bench.jar.clock.advance('5m');
      const attempts = await inbox.requests();
      expect(attempts.map(({ answered }) => answered.status)).toEqual([503, 503, 200]);
      expect(attempts[2]!.json()).toMatchObject({ bell: `${BELL_PATH}/noon`, sound: 'Dong' });
      const { body } = await bench.call('GET', `${BELL_PATH}/noon?api-version=${VERSION}`);
      expect(body.properties.state).toBe('Rung');
    });

    it('shows its rings to the administrator', async () => {
      const all = await rings();
      expect(all.value.map(({ outcome }) => outcome)).toEqual(['delivered', 'delivered']);
      expect(all.heardHere).toBe(2);
      const dong = await rings(`?$filter=${encodeURIComponent("sound eq 'Dong' and outcome eq 'delivered'")}`);
      expect(dong.value).toMatchObject([{ bell: `${BELL_PATH}/noon`.toLowerCase() }]);
    });

    it('has a quota that can be changed, and frees it with a deletion', async () => {
      const change = { name: 'bells.bells', limit: 2 };
      const options = { token: bench.jar.adminKey, body: change };
      expect((await bench.call('PATCH', '/_jar/limits', options)).status).toBe(200);
      await expect(put('dawn')).rejects.toMatchObject({ statusCode: 409, code: 'BellQuotaReached' });
      await put('dusk');
      await client().resources.beginDeleteByIdAndWait(`${BELL_PATH}/dusk`, VERSION);
      await put('dawn');
    });

    it('deletes bells and their due work with their group', async () => {
      await client().resourceGroups.beginDeleteAndWait('tower');
      await bench.jar.clock.advance('2h');
      expect(await bench.jar.inbox('dawn').requests()).toEqual([]);
      expect((await rings()).value).toEqual([]);
    });

    it('returns to the seed with a reset', async () => {
      await bench.jar.reset();
      expect(await rings()).toEqual({ value: [], heardHere: 0 });
    });

    itForgets(bench, probe);
  },
  { services: [...SERVICES, BELLS] },
);
