import { expect, it } from 'vitest';
import type { Service } from '../../src/kernel/service/service.ts';
import { SERVICES } from '../../src/services.ts';
import { startJar } from '../../src/testing/index.ts';
import { withJar } from '../support/jars.ts';
import { type WholeService, wholeService } from '../support/whole-service.ts';

withJar((bench) => {
  it('there is a key for the translator from the start', async () => {
    const reply = await bench.call('GET', '/_jar/keys', { token: bench.jar.adminKey });
    expect(reply).toMatchObject({ status: 200, body: { translator: expect.stringMatching(/^[0-9a-f]{32}$/) } });
    expect(await bench.jar.keys()).toEqual(reply.body);
  });

  it('keys are for the administrator only', async () => {
    expect((await bench.call('GET', '/_jar/keys', { token: null })).status).toBe(401);
    expect((await bench.call('GET', '/_jar/keys')).status).toBe(403);
  });
});

it('a service shows its key under its name, and is omitted if it has none', async () => {
  const [first] = SERVICES as [Service];
  const keyed = (name: string, key: WholeService['key']): Service => {
    const { family } = first;
    return wholeService({ name, title: name, family, mounts: [], routes: [], ...(key && { key }) });
  };
  const services = [
    first,
    keyed('with', async () => 'secret'),
    keyed('without', async () => undefined),
    keyed('never', undefined),
  ];
  await using jar = await startJar({ services });
  expect(await jar.keys()).toEqual({ with: 'secret' });
});
