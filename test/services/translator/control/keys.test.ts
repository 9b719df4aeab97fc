import { describe, expect, it } from 'vitest';
import { onBothStores } from '../../../support/jars.ts';
import { detect } from '../support.ts';

const KEYS = '/_jar/translator/keys';
const OWN = 'a-key-of-my-own-1234';

onBothStores('subscription keys in the control API', (bench) => {
  const control = (method: string, path: string, body?: unknown) =>
    bench.call(method, KEYS + path, { token: bench.jar.adminKey, body });
  const works = async (key: string) => (await detect(bench, ['x'], { key })).status === 200;

  it('the seeded key exists, and its secret is only shown when the single key is read', async () => {
    const { translator: key } = await bench.jar.keys();
    expect((await control('GET', '')).body).toEqual({
      value: [{ name: 'default', kind: 'translator', source: 'store' }],
    });
    expect((await control('GET', '/Default')).body).toEqual({
      name: 'default',
      kind: 'translator',
      source: 'store',
      key,
    });
  });

  it('a key is created with a generated or given secret, changed and removed', async () => {
    const made = await control('PUT', '/first', { tier: 'F0', region: 'westeurope' });
    expect(made).toMatchObject({
      status: 201,
      body: {
        name: 'first',
        tier: 'F0',
        region: 'westeurope',
        kind: 'translator',
        key: expect.stringMatching(/^[0-9a-f]{32}$/),
      },
    });
    const changed = await control('PUT', '/first', { tier: 'S1' });
    expect(changed).toMatchObject({ status: 200, body: { tier: 'S1', key: made.body.key } });
    expect(changed.body).not.toHaveProperty('region');
    expect(await works(made.body.key)).toBe(true);

    const replaced = await control('PUT', '/FIRST', { key: OWN });
    expect(replaced).toMatchObject({ status: 200, body: { name: 'first', key: OWN } });
    expect([await works(made.body.key), await works(OWN)]).toEqual([false, true]);

    expect((await control('DELETE', '/first')).status).toBe(204);
    expect(await works(OWN)).toBe(false);
    expect((await control('DELETE', '/first')).body.error.code).toBe('NoSuchKey');
    expect((await control('GET', '/first')).body.error.code).toBe('NoSuchKey');
  });

  it('a body is not needed', async () => {
    const reply = await bench.call('PUT', `${KEYS}/plain`, { token: bench.jar.adminKey });
    expect(reply.status).toBe(201);
    expect(await works(reply.body.key)).toBe(true);
    await control('DELETE', '/plain');
  });

  it.each([
    ['a tier that there is not', '/x', { tier: 'S9' }, 'InvalidBody', 'tier'],
    ['a kind that there is not', '/x', { kind: 'vision' }, 'InvalidBody', 'kind'],
    ['a secret that is too short', '/x', { key: 'short' }, 'InvalidBody', 'key'],
    ['a secret with a blank', '/x', { key: 'a b'.repeat(10) }, 'InvalidBody', 'key'],
    ['a region without a name', '/x', { region: ' ' }, 'InvalidBody', 'region'],
    ['a property that there is not', '/x', { name: 'y' }, 'InvalidBody', 'name'],
    ['a name with a slash', '/a%2Fb', {}, 'BadKeyName', 'name'],
    ['a name that begins with a dot', '/.x', {}, 'BadKeyName', 'name'],
    ['a name of 65 letters', `/${'x'.repeat(65)}`, {}, 'BadKeyName', 'name'],
  ])('%s is refused with the name of the field', async (_, path, body, code, target) => {
    expect(await control('PUT', path, body)).toMatchObject({ status: 400, body: { error: { code, target } } });
  });

  it('two keys cannot have one secret', async () => {
    const { translator: key } = await bench.jar.keys();
    const reply = await control('PUT', '/second', { key });
    expect(reply).toMatchObject({ status: 409, body: { error: { code: 'KeyTaken' } } });
    expect((await control('GET', '/second')).status).toBe(404);
  });

  it('of many concurrent requests for the same name or the same secret one succeeds', async () => {
    const same = await Promise.all(Array.from({ length: 8 }, () => control('PUT', '/wanted', { key: OWN })));
    expect(same.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(same.filter(({ status }) => status === 200)).toHaveLength(7);
    const others = await Promise.all(
      Array.from({ length: 8 }, (_, index) => control('PUT', `/other-${index}`, { key: `${OWN}-again` })),
    );
    expect(others.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(others.filter(({ status }) => status === 409)).toHaveLength(7);
    await bench.jar.reset();
  });

  it('the list has pages', async () => {
    for (const name of ['b', 'a', 'c']) await control('PUT', `/${name}`, {});
    const first = await control('GET', '?$top=2');
    expect(first.body.value.map(({ name }: { name: string }) => name)).toEqual(['a', 'b']);
    const next = await bench.call('GET', first.body.nextLink, { token: bench.jar.adminKey });
    expect(next.body.value.map(({ name }: { name: string }) => name)).toEqual(['c', 'default']);
    expect(next.body).not.toHaveProperty('nextLink');
    expect((await control('GET', '?$skiptoken=made-up')).body.error.code).toBe('BadSkipToken');
    await bench.jar.reset();
  });

  it('all of it needs the administrator', async () => {
    for (const [method, path] of [
      ['GET', KEYS],
      ['PUT', `${KEYS}/x`],
      ['DELETE', `${KEYS}/default`],
      ['GET', '/_jar/keys'],
    ] as const) {
      expect((await bench.call(method, path)).status).toBe(403);
      expect((await bench.call(method, path, { token: null })).status).toBe(401);
    }
  });

  it('a snapshot includes keys', async () => {
    await control('PUT', '/kept', { key: OWN });
    await bench.jar.snapshot('with-key');
    await control('DELETE', '/kept');
    expect(await works(OWN)).toBe(false);
    await bench.jar.restore('with-key');
    expect(await works(OWN)).toBe(true);
    await bench.jar.reset();
  });

  describe('the key that is shown for the service', () => {
    it('is that of the seed, then another, then none', async () => {
      const seeded = await bench.jar.keys();
      await control('PUT', '/zeta', { key: OWN });
      await control('PUT', '/alpha', { kind: 'speech' });
      expect(await bench.jar.keys()).toEqual(seeded);
      await control('DELETE', '/default');
      expect((await bench.jar.keys()).translator).toBe(OWN);
      await control('DELETE', '/zeta');
      expect(await bench.jar.keys()).not.toHaveProperty('translator');
      await bench.jar.reset();
      expect(await bench.jar.keys()).toEqual(seeded);
    });
  });
});
