import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { onBothStores } from '../benches.ts';
import { errorOf } from '../support.ts';
import { control } from '../webhooks/support.ts';
import { type Desk, expectStatus, openDesk } from './support.ts';

const folder = mkdtempSync(join(tmpdir(), 'cloudjar-companies-'));
const seed = join(folder, 'seed.json');
writeFileSync(seed, JSON.stringify({ business: { companies: [{ name: 'One' }, { name: 'Two' }] } }));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

onBothStores(
  'two companies of a tenant whose subscriptions share an address',
  (bench) => {
    let desk: Desk;
    let companies: readonly string[] = [];
    beforeEach(async () => {
      desk ??= await openDesk(bench);
      const { body } = await bench.call('GET', '/api/v2.0/companies');
      companies = body.value.map(({ id }: { id: string }) => id);
    });
    const at = (company: string | undefined, rest: string): string => `/api/v2.0/companies(${company})/${rest}`;
    const subscribe = async (company: string | undefined, inbox: string): Promise<string> => {
      const body = { notificationUrl: desk.hooks.inbox(inbox), resource: at(company, 'customers') };
      return expectStatus(await desk.hooks.subscribe(body), 201).body.subscriptionId;
    };
    const change = async (company: string | undefined): Promise<void> => {
      expectStatus(await bench.call('POST', at(company, 'customers'), { body: { displayName: 'Each' } }), 201);
    };

    it('get a message for each company, and all subscriptions end when one of these is refused', async () => {
      const ids = [await subscribe(companies[0], 'both'), await subscribe(companies[1], 'both')];
      for (const company of companies) await change(company);
      await bench.jar.clock.advance('30s');
      const bodies = await desk.bodies('both');
      expect(bodies.map((entries) => entries.map(({ subscriptionId }) => subscriptionId)).sort()).toEqual(
        ids.map((id) => [id]).sort(),
      );
      await bench.jar.inbox('both').respond({ status: 410 });
      await change(companies[0]);
      await bench.jar.clock.advance('30s');
      for (const id of ids) {
        const { body } = await control(bench, 'GET', `business/subscriptions/${id}`);
        expect(body).toMatchObject({ state: 'removed', reason: 'refused' });
      }
    });

    it('hold the changes of a delegated administrator each for itself', async () => {
      await subscribe(companies[0], 'held-in-one');
      await subscribe(companies[1], 'held-in-two');
      const token = await bench.jar.token({ user: 'delegated-admin', ttl: '365d' });
      const body = { displayName: 'Held' };
      expectStatus(await bench.call('POST', at(companies[0], 'customers'), { body, token }), 201);
      await change(companies[1]);
      await bench.jar.clock.advance('30s');
      expect(await desk.entries('held-in-one')).toEqual([]);
      expect(await desk.entries('held-in-two')).toHaveLength(1);
    });

    it('are not subscribed to below each other', async () => {
      const body = { notificationUrl: desk.hooks.inbox('crossed'), resource: at(companies[1], 'customers') };
      const crossed = await bench.call('POST', at(companies[0], 'subscriptions'), { body });
      expect(errorOf(crossed)).toMatchObject({ status: 400, code: 'BadRequest' });
      expect(crossed.text).toContain('another company');
      const id = await subscribe(companies[0], 'crossed');
      const moved = await bench.call('PATCH', at(companies[0], `subscriptions('${id}')`), {
        body: { resource: at(companies[1], 'customers') },
        headers: { 'if-match': '*' },
      });
      expect(moved.status).toBe(400);
      const own = await bench.call('POST', at(companies[1], 'subscriptions'), { body });
      expect(own.status).toBe(201);
      expectStatus(await bench.call('GET', own.headers.get('location') ?? ''), 200);
    });
  },
  { seed },
);
