import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { openJar, type RunningJar } from '../../../../src/jar/index.ts';
import { type Resource, resources } from '../../../../src/kernel/arm/collections.ts';
import { loadConfig } from '../../../../src/kernel/config/config.ts';
import { accessKeys, domainTopics } from '../../../../src/services/events/collections.ts';
import type { EventsJar } from '../../../../src/services/events/jar.ts';
import { eventsJar } from '../../../../src/services/events/open.ts';
import { dropUnusedDomainTopic } from '../../../../src/services/events/topics/domain-topic-store.ts';
import { domainTopicFor, findTarget, keysOf } from '../../../../src/services/events/topics/lookup.ts';
import { SUBSCRIPTION } from '../../../support/jars.ts';
import { usePostgresDatabase } from '../../../support/use-postgres.ts';
import { providerOf, VERSION } from './grid.ts';

describe.each(['sqlite', 'postgres'] as const)('%s: look-ups of publishing', (engine) => {
  let running: RunningJar | undefined;
  let token = '';
  const jar = (): EventsJar => eventsJar((running as RunningJar).jar);
  const key = (path: string): string => `${providerOf('lookup')}/${path}`.toLowerCase();

  const call = async (method: string, path: string, body?: unknown) => {
    const response = await fetch((running as RunningJar).url + path, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: body === undefined ? null : JSON.stringify(body),
    });
    const text = await response.text();
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
  };
  const create = async (path: string, properties = {}) => {
    const made = await call('PUT', `${providerOf('lookup')}/${path}?${VERSION}`, {
      location: 'westeurope',
      properties,
    });
    expect(made.status).toBe(201);
    await running?.settled();
  };
  const resource = async (path: string) => (await jar().store.get(resources, key(path)))?.value as Resource;

  beforeEach(async ({ skip }) => {
    if (running) return;
    const databaseUrl = engine === 'postgres' ? await usePostgresDatabase({ skip }, 'topics_lookup') : undefined;
    const common = { port: 0, httpsPort: 0, clock: 'virtual', engine: 'simulated' };
    const flags = { ...common, ...(databaseUrl === undefined ? { memory: true } : { databaseUrl }) };
    running = await openJar({ config: loadConfig({ flags, env: {}, cwd: '/' }), inProcess: true });
    const given = await fetch(`${running.url}/_jar/tokens`, {
      method: 'POST',
      headers: { authorization: `Bearer ${running.adminKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ttl: '30d' }),
    });
    token = ((await given.json()) as { access_token: string }).access_token;
    const group = `/subscriptions/${SUBSCRIPTION}/resourceGroups/lookup?api-version=2021-04-01`;
    expect((await call('PUT', group, { location: 'westeurope' })).status).toBe(201);
  });
  afterAll(() => running?.close());

  it('finds topics and domains by region and name, in any case', async () => {
    await create('topics/Sought');
    await create('domains/sought-domain');
    expect(await findTarget(jar(), 'WestEurope', 'SOUGHT')).toMatchObject({
      kind: 'topic',
      key: key('topics/sought'),
      resource: { name: 'Sought', properties: { provisioningState: 'Succeeded' } },
    });
    expect(await findTarget(jar(), 'westeurope', 'sought-domain')).toMatchObject({ kind: 'domain' });
    expect(await findTarget(jar(), 'eastus', 'sought')).toBeUndefined();
    expect(await findTarget(jar(), 'westeurope', 'unsought')).toBeUndefined();
  });

  it('sees a change at once, and nothing that is deleted', async () => {
    await create('topics/changing');
    await findTarget(jar(), 'westeurope', 'changing');
    await create('topics/changing', { disableLocalAuth: true });
    const changed = await findTarget(jar(), 'westeurope', 'changing');
    expect(changed?.resource.properties.disableLocalAuth).toBe(true);
    const keys = await keysOf(jar(), key('topics/changing'));
    const path = `${providerOf('lookup')}/topics/changing`;
    const { body } = await call('POST', `${path}/regenerateKey?${VERSION}`, { keyName: 'key1' });
    expect(await keysOf(jar(), key('topics/changing'))).toEqual(body);
    expect(body.key1).not.toBe(keys.key1);
    expect((await call('DELETE', `${path}?${VERSION}`)).status).toBe(202);
    expect(await findTarget(jar(), 'westeurope', 'changing')).toBeUndefined();
    await expect(keysOf(jar(), key('topics/changing'))).rejects.toMatchObject({ status: 404, code: 'TopicNotFound' });
  });

  it('reads nothing from the store that is cached, and opens keys once', async () => {
    await create('topics/hot');
    const ask = async () => [await findTarget(jar(), 'westeurope', 'hot'), await keysOf(jar(), key('topics/hot'))];
    const [, before] = await ask();
    const { store, vault } = jar();
    const untouchable = () => expect.fail('the store was read');
    const get: typeof store.get = untouchable;
    const cached: typeof store.cached = untouchable;
    const cold = new Proxy(store, {
      get(target, name) {
        if (name === 'get') return get;
        if (name === 'cached') return cached;
        const member = Reflect.get(target, name, target) as unknown;
        return typeof member === 'function' ? member.bind(target) : member;
      },
    });
    const hot = { ...jar(), store: cold, vault } as EventsJar;
    expect((await findTarget(hot, 'westeurope', 'hot'))?.resource.name).toBe('hot');
    expect(await keysOf(hot, key('topics/hot'))).toBe(before);
  });

  it('stores keys only sealed', async () => {
    await create('topics/sealed');
    const stored = (await jar().store.get(accessKeys, key('topics/sealed')))?.value;
    const { key1, key2 } = await keysOf(jar(), key('topics/sealed'));
    expect(JSON.stringify(stored)).not.toContain(key1);
    expect(JSON.stringify(stored)).not.toContain(key2);
    expect(jar().vault.open(stored?.key1 ?? '')).toBe(key1);
  });

  const topicFor = async (domain: Resource, name: string, by: 'event' | 'subscription') =>
    jar().store.transact((tx) => domainTopicFor(tx, jar(), domain, name, by));

  it.each(['event', 'subscription'] as const)('creates a topic of a domain for the first %s, once', async (by) => {
    await create(`domains/making-${by}`);
    const domain = await resource(`domains/making-${by}`);
    const made = await Promise.all(['New', 'new', 'NEW'].map((name) => topicFor(domain, name, by)));
    expect(new Set(made.map((topic) => topic?.id)).size).toBe(1);
    expect(made[0]).toMatchObject({ domain: domain.id.toLowerCase(), isAutomatic: true });
    const listed = await call('GET', `${domain.id}/topics?${VERSION}`);
    expect(listed.body.value).toHaveLength(1);
    await expect(topicFor(domain, 'no_name', by)).rejects.toMatchObject({ status: 400, code: 'InvalidRequest' });
  });

  it('creates none if the domain does not create topics, or is deleted', async () => {
    await create('domains/strict', { autoCreateTopicWithFirstSubscription: false });
    const domain = await resource('domains/strict');
    expect(await topicFor(domain, 'new', 'event')).toBeUndefined();
    expect(await topicFor(domain, 'new', 'subscription')).toBeUndefined();
    expect((await call('PUT', `${domain.id}/topics/new?${VERSION}`)).status).toBe(201);
    expect(await topicFor(domain, 'NEW', 'event')).toMatchObject({ name: 'new', isAutomatic: false });
    expect((await call('DELETE', `${domain.id}?${VERSION}`)).status).toBe(202);
    for (const by of ['event', 'subscription'] as const) expect(await topicFor(domain, 'new', by)).toBeUndefined();
  });

  it.each([
    [true, undefined],
    [false, 'kept'],
  ])('drops a topic without subscriptions where autoDelete is %s', async (automatic, left) => {
    const name = `dropping-${automatic}`;
    await create(`domains/${name}`, { autoDeleteTopicWithLastSubscription: automatic });
    const domain = await resource(`domains/${name}`);
    await topicFor(domain, 'kept', 'subscription');
    const scope = `${domain.id}/topics/kept`.toLowerCase();
    await jar().store.transact((tx) => dropUnusedDomainTopic(tx, jar(), scope));
    expect((await jar().store.get(domainTopics, scope))?.value.name).toBe(left);
    await jar().store.transact((tx) => dropUnusedDomainTopic(tx, jar(), domain.id.toLowerCase()));
    expect(await resource(`domains/${name}`)).toBeDefined();
  });
});
