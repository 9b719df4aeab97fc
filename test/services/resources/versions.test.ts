import { ResourceManagementClient } from '@azure/arm-resources';
import { describe, expect, it } from 'vitest';
import {
  FEATURES_API_VERSIONS,
  GATEWAY_API_VERSIONS,
  LOCK_API_VERSIONS,
  MANAGEMENT_GROUP_API_VERSIONS,
  REGIONS,
  TAG_NAMES_API_VERSIONS,
  TAGS_API_VERSIONS,
} from '../../../src/kernel/arm/index.ts';
import { SERVICES } from '../../../src/services.ts';
import type { StartJarOptions } from '../../../src/testing/index.ts';
import { onAnyStore, SUBSCRIPTION } from '../../support/jars.ts';
import { aGroup } from '../containers/groups.ts';
import { WIDGETS } from './widgets.ts';

const GROUP = `/subscriptions/${SUBSCRIPTION}/resourceGroups/versioned`;
const CONTAINERS = `${GROUP}/providers/Vendor.ContainerInstance/containerGroups`;
const WIDGET = `${GROUP}/providers/Vendor.Test/widgets`;
const regions = REGIONS.map(({ name }) => name).join(', ');

/** The list of the real gateway in January 2025, with later publications. */
const PRINTED =
  '2025-04-01,2025-03-01,2024-11-01,2024-08-01,2024-07-01,2024-06-01-preview,2024-03-01,2023-07-01,2023-07-01-preview,2023-03-01-preview,2022-12-01,2022-11-01-preview,2022-09-01,2022-06-01,2022-05-01,2022-03-01-preview,2022-01-01,2021-04-01,2021-01-01,2020-10-01,2020-09-01,2020-08-01,2020-07-01,2020-06-01,2020-05-01,2020-01-01,2019-11-01,2019-10-01,2019-09-01,2019-08-01,2019-07-01,2019-06-01,2019-05-10,2019-05-01,2019-03-01,2018-11-01,2018-09-01,2018-08-01,2018-07-01,2018-06-01,2018-05-01,2018-02-01,2018-01-01,2017-12-01,2017-08-01,2017-06-01,2017-05-10,2017-05-01,2017-03-01,2016-09-01,2016-07-01,2016-06-01,2016-02-01,2015-11-01,2015-01-01,2014-04-01-preview,2014-04-01,2014-01-01,2013-03-01,2014-02-26,2014-04';

/** Oldest first. */
const OF_CONTAINERS =
  '2017-08-01-preview, 2017-10-01-preview, 2017-12-01-preview, 2018-02-01-preview, 2018-04-01, 2018-06-01, 2018-07-01, 2018-09-01, 2018-10-01, 2019-12-01, 2020-11-01, 2021-03-01, 2021-07-01, 2021-09-01, 2021-10-01, 2022-04-01-preview, 2022-09-01, 2022-10-01-preview, 2023-02-01-preview, 2023-05-01, 2023-05-15-preview, 2024-05-01-preview, 2024-09-01-preview, 2024-10-01-preview, 2024-11-01-preview, 2025-09-01, 2026-06-01-preview, 2026-07-01, 2026-08-01-preview';

const OPTIONS = { namespace: ['Microsoft'], services: [...SERVICES, WIDGETS] } as StartJarOptions;

onAnyStore(
  'api-versions at the gateway',
  (bench) => {
    const call = async (method: string, path: string, version: string, body?: unknown, token?: string) => {
      const reply = await bench.call(method, `${path}?api-version=${version}`, { body, ...(token && { token }) });
      return { status: reply.status, ...reply.body?.error, cause: reply.headers.get('x-ms-failure-cause') };
    };
    const none = (location: string, type: string, supported: string, locations = regions) => ({
      status: 400,
      code: 'NoRegisteredProviderFound',
      message: `No registered resource provider found for location '${location}' and API version '2023-05-02' for type '${type}'. The supported api-versions are '${supported}'. The supported locations are '${locations}'.`,
      cause: 'gateway',
    });

    it('of its own types are all that were published; another is refused with the list', async () => {
      await bench.call('PUT', `${GROUP}?api-version=2025-04-01`, { body: { location: 'westeurope' } });
      for (const version of PRINTED.split(',')) expect((await call('GET', GROUP, version)).status, version).toBe(200);
      for (const path of [GROUP, '/subscriptions', '/tenants', `${GROUP}/resources`])
        expect(await call('GET', path, '2021-10-01')).toEqual({
          status: 400,
          code: 'InvalidApiVersionParameter',
          message: `The api-version '2021-10-01' is invalid. The supported versions are '${PRINTED}'.`,
          cause: 'gateway',
        });
    });

    it('show subscriptions and regions in 2016-06-01 as the account tools know them', async () => {
      const read = async (path: string, version: string) =>
        (await bench.call('GET', `${path}?api-version=${version}`)).body;
      const path = `/subscriptions/${SUBSCRIPTION}`;
      const short = await read(path, '2016-06-01');
      const fields = 'id authorizationSource subscriptionId displayName state subscriptionPolicies';
      expect(Object.keys(short)).toEqual(fields.split(' '));
      expect((await read('/subscriptions', '2016-06-01')).value).toContainEqual(short);
      const [region] = (await read(`${path}/locations`, '2016-06-01')).value;
      expect(Object.keys(region)).toEqual(['id', 'name', 'displayName', 'longitude', 'latitude']);
      for (const version of ['2016-07-01', '2016-02-01', '2025-04-01']) {
        expect(await read(path, version)).toMatchObject({ ...short, tags: {}, managedByTenants: [] });
      }
      for (const version of ['2014-04-01', '2016-07-01', '2019-06-01', '2019-10-01'])
        expect((await read(`${path}/locations`, version)).value[0]).toEqual(region);
      const [shaped] = (await read(`${path}/locations`, '2019-11-01')).value;
      expect(Object.keys(shaped)).toEqual(['id', 'name', 'displayName', 'regionalDisplayName', 'metadata']);
    });

    it('that were never published are refused with the region of the group, whatever the body says', async () => {
      expect(await call('GET', `${CONTAINERS}/none`, '2023-05-02')).toEqual(
        none('westeurope', 'containerGroups', OF_CONTAINERS),
      );
      expect(await call('PUT', `${CONTAINERS}/none`, '2023-05-02', aGroup())).toEqual(
        none('westeurope', 'containerGroups', OF_CONTAINERS),
      );
      const widget = { location: 'eastus', properties: { size: 1 } };
      expect(await call('PUT', `${WIDGET}/gear`, '2023-05-02', widget)).toEqual(
        none('westeurope', 'widgets', '2023-01-01, 2024-01-01', 'eastus, westeurope'),
      );
    });

    it('that were never published are refused with the region of the resource where there is one', async () => {
      const widget = { location: 'eastus', properties: { size: 1 } };
      expect((await call('PUT', `${WIDGET}/gear`, '2024-01-01', widget)).status).toBe(201);
      const expected = none('eastus', 'widgets', '2023-01-01, 2024-01-01', 'eastus, westeurope');
      for (const method of ['GET', 'DELETE'])
        expect(await call(method, `${WIDGET}/gear`, '2023-05-02')).toEqual(expected);
      const alias = WIDGET.replace('Vendor', 'microsoft').replace('versioned', 'VERSIONED');
      expect(await call('GET', `${alias}/GEAR`, '2023-05-02')).toEqual(expected);
    });

    it.each(['delegated-admin', 'other'])('are refused without a region to %s, who may not know it', async (user) => {
      const token = await bench.jar.token({ user });
      const refused = await call('GET', `${WIDGET}/gear`, '2023-05-02', undefined, token);
      expect(refused).toEqual(none('', 'widgets', '2023-01-01, 2024-01-01', 'eastus, westeurope'));
    });

    it('are refused without a region where there is no group', async () => {
      const path = WIDGET.replace('versioned', 'absent');
      expect((await call('DELETE', `${path}/gear`, '2023-05-02')).message).toContain("for location '' and API");
    });

    it('that were never published make a list an unknown type', async () => {
      const list = (prefix: string) => ({
        status: 404,
        code: 'InvalidResourceType',
        message: `The resource type 'widgets' could not be found in the namespace '${prefix}.Test' for api version '2023-05-02'. The supported api-versions are '2023-01-01,2024-01-01'.`,
        cause: 'gateway',
      });
      expect(await call('GET', WIDGET, '2023-05-02')).toEqual(list('Vendor'));
      expect(await call('GET', WIDGET.replace('Vendor', 'Microsoft'), '2023-05-02')).toEqual(list('Microsoft'));
      const across = `/subscriptions/${SUBSCRIPTION}/providers/Vendor.Test/widgets`;
      expect(await call('GET', across, '2023-05-02')).toEqual(list('Vendor'));
    });

    it('are listed by the provider, newest first, each type with its own', async () => {
      const provider = async (namespace: string) =>
        (await bench.call('GET', `/subscriptions/${SUBSCRIPTION}/providers/${namespace}?api-version=2021-04-01`)).body;
      const versions = async (namespace: string, type: string) =>
        (await provider(namespace)).resourceTypes.find((it: { resourceType: string }) => it.resourceType === type);
      expect(await versions('Microsoft.ContainerInstance', 'containerGroups')).toMatchObject({
        apiVersions: OF_CONTAINERS.split(', ').reverse(),
        defaultApiVersion: '2026-07-01',
      });
      expect((await versions('Vendor.ContainerInstance', 'locations/usages')).apiVersions.at(-1)).toBe(
        '2017-12-01-preview',
      );
      const nested = (await versions('Vendor.EventGrid', 'topics/eventSubscriptions')).apiVersions;
      expect(nested).not.toContain('2021-12-01');
      expect(nested.slice(-2)).toEqual(['2022-06-15', '2021-10-15-preview']);
      expect((await versions('Vendor.Resources', 'resourceGroups')).apiVersions.join(',')).toBe(PRINTED);
    });

    it('are spoken by the official client, whichever it is told', async () => {
      const credential = {
        getToken: async () => ({ token: await bench.jar.token(), expiresOnTimestamp: Number.MAX_SAFE_INTEGER }),
      };
      for (const apiVersion of [undefined, '2014-04-01-preview', '2019-05-10']) {
        const client = new ResourceManagementClient(credential, SUBSCRIPTION, {
          endpoint: bench.jar.httpsUrl,
          ...(apiVersion !== undefined && { apiVersion }),
        });
        expect((await client.resourceGroups.get('versioned')).location).toBe('westeurope');
      }
    });
  },
  OPTIONS,
);

describe('the lists of versions that services share', () => {
  it.each([
    ['the gateway', GATEWAY_API_VERSIONS, 61, '2025-04-01', '2014-04'],
    ['tags', TAGS_API_VERSIONS, 17, '2025-04-01', '2018-11-01'],
    ['tag names', TAG_NAMES_API_VERSIONS, 25, '2023-07-01', '2014-04-01-preview'],
    ['management groups', MANAGEMENT_GROUP_API_VERSIONS, 14, '2024-02-01-preview', '2017-05-31-preview'],
    ['features', FEATURES_API_VERSIONS, 2, '2021-07-01', '2015-12-01'],
    ['locks', LOCK_API_VERSIONS, 4, '2020-05-01', '2015-01-01'],
  ])('of %s has each once, from the newest to the oldest', (_what, list, count, newest, oldest) => {
    expect(new Set(list).size).toBe(count);
    expect(list).toHaveLength(count);
    expect([list[0], list.at(-1)]).toEqual([newest, oldest]);
  });
});
