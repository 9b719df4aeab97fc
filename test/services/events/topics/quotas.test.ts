import { expect, it } from 'vitest';
import { OTHER_SUBSCRIPTION, onBothStores } from '../../../support/jars.ts';
import { Grid } from './grid.ts';

const AT_ONCE = 17;

onBothStores('how many topics and domains there may be', (bench) => {
  const grid = new Grid(bench, 'full');
  const put = (kind: string, index: number, location = 'westeurope') =>
    grid.put(`${kind}/${kind}-${index}`, { location });

  it.each(['topics', 'domains'])('is 100 %s of a subscription in a region', async (kind) => {
    await grid.get(kind);
    const made: Awaited<ReturnType<typeof put>>[] = [];
    // In groups: all at once would exceed the lock timeout of a busy database.
    for (let from = 0; from < 101; from += AT_ONCE) {
      const some = Array.from({ length: Math.min(AT_ONCE, 101 - from) }, (_, step) => put(kind, from + step));
      made.push(...(await Promise.all(some)));
    }
    const refused = made.filter(({ status }) => status !== 201);
    expect(refused).toMatchObject([{ status: 409, body: { error: { code: 'QuotaReached' } } }]);
    const absent = made.indexOf(refused[0] as (typeof made)[0]);
    expect((await grid.get(`${kind}/${kind}-${absent}`)).status).toBe(404);

    expect((await put(kind, absent, 'eastus')).status).toBe(201);
    const stranger = new Grid(bench, 'full', OTHER_SUBSCRIPTION, () => bench.jar.token({ user: 'other' }));
    expect((await stranger.put(`${kind}/of-a-stranger-${kind}`)).status).toBe(201);
    expect((await put(kind, (absent + 1) % 101)).status).toBe(201);
    expect((await grid.delete(`${kind}/${kind}-${(absent + 1) % 101}`)).status).toBe(202);
    expect((await grid.put(`${kind}/one-more-${kind}`)).status).toBe(201);
    expect((await grid.put(`${kind}/too-much-${kind}`)).status).toBe(409);
  });

  it('is as many in a domain as its limit says', async () => {
    await grid.put('domains/small', { location: 'northeurope' });
    const changed = await bench.call('PATCH', '/_jar/limits', {
      token: bench.jar.adminKey,
      body: { name: 'events.domain-topics', limit: 2 },
    });
    expect(changed.status).toBe(200);
    const made = await Promise.all(
      ['one', 'two', 'six'].map((name) => grid.call('PUT', `domains/small/topics/${name}`)),
    );
    expect(made.map(({ status }) => status).toSorted()).toEqual([201, 201, 409]);
    const [first] = (await grid.get('domains/small/topics')).body.value;
    expect((await grid.call('PUT', `domains/small/topics/${first.name}`)).status).toBe(201);
    expect((await grid.delete(`domains/small/topics/${first.name}`)).status).toBe(202);
    expect((await grid.call('PUT', 'domains/small/topics/ten')).status).toBe(201);
    expect((await grid.delete('domains/small')).status).toBe(202);
    await grid.put('domains/small', { location: 'northeurope' });
    expect((await grid.call('PUT', 'domains/small/topics/ten')).status).toBe(201);
  });
});
