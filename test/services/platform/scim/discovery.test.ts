import { expect, it } from 'vitest';
import { onAnyStore } from '../../../support/jars.ts';
import { ACCOUNT } from '../sdk.ts';
import { good, person, withoutRates } from '../support.ts';

onAnyStore('data platform: what SCIM clients ask for first', (bench) => {
  it.each(['/preview/scim/v2', `/accounts/${ACCOUNT}/scim/v2`, '//scim/v2'])('%s describes itself', async (base) => {
    await withoutRates(bench);
    const admin = await person(bench);
    const config = await admin('GET', `${base}/ServiceProviderConfig`);
    expect(config.headers.get('content-type')).toMatch(/^application\/scim\+json/);
    expect(config.body).toMatchObject({
      patch: { supported: true },
      filter: { maxResults: 10_000 },
      bulk: { supported: false },
    });
    const types = await good(admin('GET', `${base}/ResourceTypes`));
    expect(types).toMatchObject({ totalResults: 3, startIndex: 1, itemsPerPage: 3 });
    for (const type of types.Resources as { id: string; endpoint: string; schema: string }[]) {
      expect(await good(admin('GET', `${base}/ResourceTypes/${type.id}`))).toEqual(type);
      const schema = await good(admin('GET', `${base}/Schemas/${type.schema}`));
      const names = schema.attributes.map(({ name }: { name: string }) => name);
      // The schema contains every attribute that a resource shows.
      const { Resources } = await good(admin('GET', `${base}${type.endpoint}`));
      const shown = new Set((Resources as object[]).flatMap(Object.keys));
      for (const name of ['schemas', 'id', 'meta', 'externalId']) shown.delete(name);
      expect(names).toEqual(expect.arrayContaining([...shown]));
    }
    expect((await admin('GET', `${base}/Schemas/none`)).body).toMatchObject({
      status: '404',
      detail: 'Schema with id none not found.',
    });
    expect((await admin('GET', `${base}/Schemas?filter=id%20pr`)).status).toBe(403);
  });
});
