import { expect, it } from 'vitest';
import { MortalJar } from '../mortal-jar.ts';

const UC = '/api/2.1/unity-catalog';
const PROVIDER = '/api/2.0/marketplace-provider';
const CONSUMER = '/api/2.1/marketplace-consumer';

interface Shown {
  readonly id: string;
  readonly catalog_name: string;
}

it('an installation exists with its catalog or not at all, although the jar is killed during installations and removals', {
  timeout: 120_000,
}, async () => {
  const jar = new MortalJar(['--clock', 'virtual']);
  await jar.start();
  try {
    const company = {
      name: 'Weather Ltd',
      business_contact_email: 'sales@weather.example',
      term_of_service_link: 'https://weather.example/terms',
      privacy_policy_link: 'https://weather.example/privacy',
    };
    const { metastore_id: metastore } = await jar.need('GET', `${UC}/metastore_summary`);
    const { id: provider_id } = await jar.need('POST', `${PROVIDER}/provider`, { provider: company });
    await jar.need('POST', `${UC}/shares`, { name: 'weather' });
    const summary = {
      name: 'Daily weather',
      listingType: 'STANDARD',
      provider_id,
      share: { name: 'weather', type: 'FULL' },
      status: 'PUBLISHED',
      categories: ['CLIMATE_AND_ENVIRONMENT'],
    };
    const listing = { summary, detail: { description: 'Rain', cost: 'FREE' } };
    const { listing_id: id } = await jar.need('POST', `${PROVIDER}/listing`, { listing });
    await jar.need('PATCH', `/_jar/platform/listings/${id}`, { status: 'PUBLISHED' });
    const path = `${CONSUMER}/listings/${id}/installations`;
    const installed = new Map<string, string>();
    const removed = new Set<string>();
    let turn = 0;
    const useUntilDeath = async (): Promise<void> => {
      for (;;) {
        const catalog_name = `c${turn++}`;
        const body = { catalog_name, accepted_consumer_terms: { version: '1' } };
        const made = await jar.send('POST', path, body);
        if (!made) return;
        expect(made.status, JSON.stringify(made.body)).toBe(200);
        installed.set(made.body.installation.id, catalog_name);
        const old = turn % 3 === 0 ? [...installed.keys()].find((each) => !removed.has(each)) : undefined;
        if (old === undefined) continue;
        const gone = await jar.send('DELETE', `${path}/${old}`);
        // The outcome of an unanswered removal is unknown.
        installed.delete(old);
        if (gone?.status === 200) removed.add(old);
        if (!gone) return;
      }
    };
    for (let life = 0; life < 2; life++) {
      const enough = turn + 8;
      const using = [useUntilDeath(), useUntilDeath()];
      await expect.poll(() => turn, { interval: 1, timeout: 60_000 }).toBeGreaterThan(enough);
      await jar.kill();
      await Promise.all(using);
      await jar.start();
    }
    const { installations } = await jar.need('GET', `${CONSUMER}/installations?page_size=1000`);
    const ids = installations.map((each: Shown) => each.id);
    expect(ids).toEqual(expect.arrayContaining([...installed.keys()]));
    expect(ids.filter((each: string) => removed.has(each))).toEqual([]);
    const { catalogs } = await jar.need('GET', `${UC}/catalogs`);
    const ofShares = catalogs.filter((each: { catalog_type: string }) => each.catalog_type === 'DELTASHARING_CATALOG');
    expect(ofShares.map(({ name }: { name: string }) => name).sort()).toEqual(
      installations.map((each: Shown) => each.catalog_name).sort(),
    );
    const { quota_info: quota } = await jar.need('GET', `${UC}/resource-quotas/metastore/${metastore}/catalog-quota`);
    const counted = catalogs.filter((each: { catalog_type: string }) => each.catalog_type !== 'SYSTEM_CATALOG');
    expect(quota.quota_count).toBe(counted.length);
  } finally {
    await jar.kill();
  }
});
