import { describe, expect, it } from 'vitest';
import { SUBSCRIPTION, withJar } from '../support/jars.ts';
import { listed, major, openClient, Versions } from './generations.ts';

const CLIENT = 'SubscriptionClient';
const SECTION = '/providers/Microsoft.Billing/billingAccounts/acme/billingProfiles/main/invoiceSections/web';

/** `listsWith` is the api-version of the older operations that these clients have in addition to those of the provider. */
const PROVIDER_MAJORS = [
  { ...major('arm-subscriptions-v3', 'ms-rest-js', CLIENT, '2020-09-01'), listsWith: '2016-06-01' },
  { ...major('arm-subscriptions-v4', 'core', CLIENT, '2021-10-01'), listsWith: undefined },
  { ...major('arm-subscriptions-v5', 'core', CLIENT, '2021-10-01'), listsWith: '2016-06-01' },
  { ...major('@azure/arm-subscriptions', 'core', CLIENT, '2021-10-01'), listsWith: undefined },
];

const GATEWAY_MAJORS = [
  major('arm-subscriptions-v0', 'ms-rest-js', CLIENT, '2016-06-01'),
  major('arm-subscriptions-v1', 'ms-rest-js', CLIENT, '2016-06-01'),
  major('arm-subscriptions-v2', 'ms-rest-js', CLIENT, '2016-06-01'),
  major('azure-arm-resource-v7', 'ms-rest', CLIENT, '2016-06-01'),
  major('arm-resources-subscriptions-v1', 'ms-rest-js', CLIENT, '2021-01-01'),
  major('arm-resources-subscriptions-v2', 'core', CLIENT, '2022-12-01'),
  major('@azure/arm-resources-subscriptions', 'core', CLIENT, '2022-12-01'),
];

describe('every major version of the clients of subscriptions', () => {
  const versions = new Versions();
  withJar(
    (bench) => {
      it.each(GATEWAY_MAJORS)('lists and reads: $title', async (one) => {
        const client = await openClient(bench, one);
        versions.take();
        const found = await listed(client.subscriptions.list());
        expect(found.map(({ subscriptionId }) => subscriptionId)).toContain(SUBSCRIPTION);
        expect(await client.subscriptions.get(SUBSCRIPTION)).toMatchObject({
          displayName: 'Cloudjar',
          state: 'Enabled',
        });
        const regions = await listed(client.subscriptions.listLocations(SUBSCRIPTION));
        expect(regions.find(({ name }) => name === 'westus')).toMatchObject({ displayName: 'West US' });
        expect((await listed(client.tenants.list())).length).toBeGreaterThan(0);
        expect(versions.take()).toEqual([one.apiVersion]);
      });

      it.each(PROVIDER_MAJORS)('makes, renames, cancels and removes: $title', async (one) => {
        const client = await openClient(bench, one);
        const name = `team-${PROVIDER_MAJORS.indexOf(one)}`;
        versions.take();
        const wanted = { properties: { displayName: 'Team', workload: 'DevTest', billingScope: SECTION } };
        const begun = await client.alias.beginCreate(name, wanted, { updateIntervalInMs: 20 });
        // Some clients send the request with the first poll.
        const done = (begun.pollUntilFinished ?? begun.pollUntilDone).call(begun);
        const path = `/providers/Microsoft.Subscription/aliases/${name}?api-version=2021-10-01`;
        await expect.poll(async () => (await bench.call('GET', path)).status).toBe(200);
        await bench.jar.clock.advance('1s');
        await done;
        versions.take();
        const alias = await client.alias.get(name);
        expect(alias.properties.provisioningState).toBe('Succeeded');
        const { subscriptionId } = alias.properties;
        expect((await client.alias.list()).value.map((each: { name: string }) => each.name)).toContain(name);
        const states = client.subscription ?? client.subscriptionOperations;
        const renamed = await states.rename(subscriptionId, { subscriptionName: 'Renamed' });
        expect(renamed.subscriptionId).toBe(subscriptionId);
        await states.cancel(subscriptionId);
        await (client.alias.deleteMethod ?? client.alias.delete).call(client.alias, name);
        await expect(client.alias.get(name)).rejects.toMatchObject({ statusCode: 404 });
        expect(versions.take()).toEqual([one.apiVersion]);
        if (one.listsWith === undefined) return;
        expect(await client.subscriptions.get(subscriptionId)).toMatchObject({ displayName: 'Renamed' });
        expect(versions.take()).toContain(one.listsWith);
      });
    },
    { namespace: ['Microsoft'], observe: versions.observe },
  );
});
