import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { openJar, type RunningJar } from '../../../../src/jar/index.ts';
import { Vault } from '../../../../src/kernel/auth/vault.ts';
import { loadConfig } from '../../../../src/kernel/config/config.ts';
import type { Jar } from '../../../../src/kernel/service/jar.ts';
import type { BusinessJar } from '../../../../src/services/business/jar.ts';
import { standardModel } from '../../../../src/services/business/model/model.ts';
import {
  changeTraces,
  outboxes,
  pendingEntries,
  windowEnds,
  windows,
} from '../../../../src/services/business/notify/collections.ts';
import { recordChanges } from '../../../../src/services/business/notify/record-changes.ts';
import { openBusiness } from '../../../../src/services/business/open.ts';
import { BusinessTx } from '../../../../src/services/business/records/business-tx.ts';
import { records } from '../../../../src/services/business/records/collection.ts';
import { companiesOf } from '../../../../src/services/business/records/companies.ts';
import type { Company } from '../../../../src/services/business/records/company.ts';
import { subscriptions } from '../../../../src/services/business/webhooks/collection.ts';
import { sealSecrets } from '../../../../src/services/business/webhooks/secrets.ts';
import { SERVICES } from '../../../../src/services.ts';

const KEPT = 1000;

it('outcomes of windows are not stored if no traces are kept', async () => {
  const flags = { port: 0, httpsPort: 0, clock: 'virtual', engine: 'simulated', memory: true };
  const config = loadConfig({ flags, env: {}, cwd: '/', services: { business: { changeTraces: 0 } } });
  const { url, httpsUrl, adminKey, jar, advance, close } = await openJar({ config, inProcess: true });
  onTestFinished(close);
  const ask = async (path: string, key: string, body?: object) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const answer = await fetch(
      url + path,
      body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers },
    );
    expect(answer.status).toBeLessThan(300);
    // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
    return (await answer.json()) as any;
  };
  const { access_token: token } = await ask('/_jar/tokens', adminKey, {});
  const { value } = await ask('/api/v2.0/companies', token);
  const resource = `/api/v2.0/companies(${value[0].id})/customers`;
  await ask('/api/v2.0/subscriptions', token, { notificationUrl: `${httpsUrl}/_jar/inbox/untraced`, resource });
  for (const displayName of ['A', 'B']) {
    await ask(resource, token, { displayName });
    await advance('30s');
  }
  expect((await ask('/_jar/inbox/untraced/requests', adminKey)).value).toHaveLength(3);
  expect(await jar.store.count(changeTraces)).toBe(0);
  expect(await jar.store.count(windowEnds)).toBe(0);
});

describe('changes that are taken in', () => {
  let running: RunningJar;
  /** The jar as the service sees it. */
  let jar: BusinessJar;
  let company: Company;
  let resource = '';
  let token = '';
  const call = async (method: string, path: string, body?: object, key = token) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'if-match': '*' };
    const answer = await fetch(running.url + path, { method, headers, body: body ? JSON.stringify(body) : null });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${path} answered ${answer.status} ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  };
  const control = (method: string, path: string, body?: object) =>
    call(method, `/_jar/${path}`, body, running.adminKey);

  beforeAll(async () => {
    const flags = { port: 0, httpsPort: 0, clock: 'virtual', engine: 'simulated', memory: true };
    const config = loadConfig({ flags, env: {}, cwd: '/', services: { business: { changeTraces: KEPT } } });
    const open = async (given: Jar) => {
      const opened = openBusiness(given);
      jar = opened.jar;
      return opened;
    };
    const services = SERVICES.map((service) => (service.name === 'business' ? { ...service, open } : service));
    running = await openJar({ config, services, inProcess: true });
    token = (await control('POST', 'tokens', {})).access_token;
    await call('GET', '/api/v2.0/companies');
    const { tid } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
    company = (await companiesOf(running.jar.store, standardModel, tid))[0] as Company;
    resource = `/api/v2.0/companies(${company.id})/customers`;
  });
  afterAll(() => running.close());

  afterEach(async () => {
    const { value } = await call('GET', '/api/v2.0/subscriptions');
    for (const { subscriptionId } of value) await call('DELETE', `/api/v2.0/subscriptions('${subscriptionId}')`);
  });

  const subscribe = async (inbox: string): Promise<string> => {
    const notificationUrl = `${running.httpsUrl}/_jar/inbox/${inbox}`;
    return (await call('POST', '/api/v2.0/subscriptions', { notificationUrl, resource })).subscriptionId;
  };
  const entriesOf = async (inbox: string) => {
    const { value } = await control('GET', `inbox/${inbox}/requests`);
    return value
      .filter(({ handshake }: { handshake: unknown }) => handshake === null)
      .flatMap(({ body }: { body: string }) => JSON.parse(body).value);
  };

  /** Creates many customers in one transaction. */
  const makeMany = (count: number, mostStored?: number) =>
    running.jar.store.transact(async (tx) => {
      const actor = {
        tenantId: company.tenantId,
        objectId: 'somebody',
        name: 'Somebody',
        kind: 'user',
        isDelegatedAdmin: false,
        canScheduleJobs: true,
      } as const;
      const books = new BusinessTx({ tx, jar, model: standardModel, company, actor, now: jar.clock.now() });
      for (let i = 0; i < count; i++) await books.insert('customer', { displayName: `No. ${i}` });
      await recordChanges(books, mostStored);
      return books.changes.map(({ row }) => row.id);
    });

  it('are dropped once too many entries are stored, and the trace says so', async () => {
    const id = await subscribe('full');
    const made = await makeMany(12, 10);
    await running.advance('30s');
    expect(await entriesOf('full')).toHaveLength(10);
    const { value } = await control('GET', `business/changes?id=${made[11]}`);
    expect(value[0].subscriptions).toMatchObject([{ subscription: id, state: 'not notified', rule: 'too-many' }]);
  });

  it('leave nothing behind but their traces, of which the newest are kept', async () => {
    await subscribe('bounded');
    for (let i = 0; i < 4; i++) await makeMany(1000);
    expect(await running.jar.store.count(pendingEntries)).toBe(0);
    await running.advance('30s');
    expect(await entriesOf('bounded')).toMatchObject([{ changeType: 'collection' }]);
    expect(await running.jar.store.count(outboxes)).toBe(0);
    const { items } = await running.jar.store.query(changeTraces, { limit: 1000 });
    const kept = items.reduce((sum, { value }) => sum + value.traces.length, 0);
    expect(kept).toBeGreaterThanOrEqual(KEPT);
    expect(kept).toBeLessThanOrEqual(3 * KEPT);
  });

  it('leave out an update of a record that was not really modified', async () => {
    const [first = '', second = ''] = await makeMany(2);
    await subscribe('unmodified');
    for (const each of [first, second]) await call('PATCH', `${resource}(${each})`, { displayName: 'New' });
    const { store, clock } = running.jar;
    // Moves the modification time of the first record more than two seconds before the change, and that of the second no more than two
    // seconds.
    for (const [each, by] of [[first, 2001] as const, [second, 2000] as const]) {
      await store.transact(async (tx) => {
        const key = `${company.key}/customer/${each}`;
        const stored = await tx.get(records, key);
        if (stored) await tx.put(records, key, { ...stored.value, modifiedAt: clock.now() - by });
      });
    }
    await running.advance('30s');
    expect(await entriesOf('unmodified')).toMatchObject([
      { resource: `${resource}(${second})`, changeType: 'updated' },
    ]);
    const { value } = await control('GET', `business/changes?id=${first}&$top=1`);
    expect(value[0].subscriptions).toMatchObject([{ state: 'not notified', rule: 'unchanged' }]);
  });

  it('are dropped if the secrets of a subscription cannot be opened, without delaying others', async () => {
    const sealed = await subscribe('unreadable');
    const { store } = running.jar;
    const other = Vault.withRandomKey();
    const secrets = sealSecrets(other, { notificationUrl: 'https://elsewhere.example', clientState: '' });
    await store.transact(async (tx) => {
      const key = `${company.tenantId}/${sealed}`;
      const stored = await tx.get(subscriptions, key);
      if (stored) await tx.put(subscriptions, key, { ...stored.value, secrets });
    });
    const refused = await subscribe('refusing');
    await control('PUT', 'inbox/refusing/behaviour', { status: 410 });
    const [first = ''] = await makeMany(1);
    await running.advance('30s');
    expect(await store.count(windows)).toBe(0);
    const { value } = await control('GET', `business/changes?id=${first}&$top=1`);
    const told = value[0].subscriptions.find(({ subscription }: { subscription: string }) => subscription === sealed);
    expect(told).toMatchObject({ state: 'not notified', rule: 'left-out' });
    expect(told.reason).toContain('has to be renewed');
    expect(await control('GET', `business/subscriptions/${refused}`)).toMatchObject({ reason: 'refused' });
    expect(await control('GET', `business/subscriptions/${sealed}`)).toMatchObject({ state: 'live' });
    await call('PATCH', `/api/v2.0/subscriptions('${sealed}')`, {
      notificationUrl: `${running.httpsUrl}/_jar/inbox/readable`,
    });
    await makeMany(1);
    await running.advance('30s');
    expect(await entriesOf('readable')).toMatchObject([{ subscriptionId: sealed, changeType: 'created' }]);
  });
});
