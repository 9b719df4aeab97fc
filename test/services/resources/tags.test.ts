import { ResourceManagementClient } from '@azure/arm-resources';
import { describe, expect, it } from 'vitest';
import { SERVICES } from '../../../src/services.ts';
import { onAnyStore, onBothStores, SUBSCRIPTION } from '../../support/jars.ts';
import { WIDGETS } from './widgets.ts';

const ROOT = `/subscriptions/${SUBSCRIPTION}`;
const GROUP = `${ROOT}/resourceGroups/tagged`;
const WIDGET = `${GROUP}/providers/Vendor.Test/widgets/one`;
const V = 'api-version=2021-04-01';
const OPTIONS = { services: [...SERVICES, WIDGETS] };

onBothStores(
  'a team tags what it has',
  (bench) => {
    const credential = {
      getToken: async () => ({ token: await bench.jar.token(), expiresOnTimestamp: Date.now() + 3_600_000 }),
    };
    const client = () => new ResourceManagementClient(credential, SUBSCRIPTION, { endpoint: bench.jar.httpsUrl });
    const widget = { location: 'eastus', tags: { size: 'small' }, properties: { size: 1 } };

    it('at a resource, where lists and filters show it at once', async () => {
      await client().resourceGroups.createOrUpdate('tagged', { location: 'eastus' });
      await bench.call('PUT', `${WIDGET}?api-version=2024-01-01`, { body: widget });
      const { tagsOperations: tags } = client();
      expect((await tags.getAtScope(WIDGET)).properties.tags).toEqual({ size: 'small' });
      const made = await tags.createOrUpdateAtScope(WIDGET, { properties: { tags: { Env: 'test', empty: '' } } });
      expect(made).toMatchObject({ name: 'default', properties: { tags: { Env: 'test', empty: '' } } });
      expect((await bench.call('GET', `${WIDGET}?api-version=2024-01-01`)).body.tags).toEqual({
        Env: 'test',
        empty: '',
      });
      const found = await Array.fromAsync(
        client().resources.list({ filter: "tagName eq 'env' and tagValue eq 'test'" }),
      );
      expect(found.map(({ name }) => name)).toEqual(['one']);
      const merged = await tags.updateAtScope(WIDGET, {
        operation: 'Merge',
        properties: { tags: { ENV: 'prod', owner: 'ada' } },
      });
      expect(merged.properties?.tags).toEqual({ empty: '', ENV: 'prod', owner: 'ada' });
      const fewer = await tags.updateAtScope(WIDGET, {
        operation: 'Delete',
        properties: { tags: { env: 'prod', owner: 'bob' } },
      });
      expect(fewer.properties?.tags).toEqual({ empty: '', owner: 'ada' });
      const replaced = await tags.updateAtScope(WIDGET, { operation: 'Replace', properties: { tags: { a: 'b' } } });
      expect(replaced.properties?.tags).toEqual({ a: 'b' });
      await tags.deleteAtScope(WIDGET);
      expect((await tags.getAtScope(WIDGET)).properties.tags).toEqual({});
    });

    it('at a group and at the subscription', async () => {
      const { tagsOperations: tags } = client();
      await tags.createOrUpdateAtScope(GROUP, { properties: { tags: { team: 'a' } } });
      expect((await client().resourceGroups.get('tagged')).tags).toEqual({ team: 'a' });
      expect(await Array.fromAsync(client().resourceGroups.list({ filter: "tagName eq 'team'" }))).toHaveLength(1);
      await tags.createOrUpdateAtScope(ROOT, { properties: { tags: { cost: '7' } } });
      expect((await bench.call('GET', `${ROOT}?${V}`)).body.tags).toEqual({ cost: '7' });
      await tags.deleteAtScope(ROOT);
      expect((await bench.call('GET', `${ROOT}?${V}`)).body.tags).toEqual({});
    });

    it('with names that the subscription defines, and counts of their use', async () => {
      const { tagsOperations: tags } = client();
      expect(await tags.createOrUpdate('team')).toMatchObject({ tagName: 'team', count: { type: 'Total', value: 1 } });
      expect(await tags.createOrUpdateValue('team', 'b')).toMatchObject({ tagValue: 'b', count: { value: 0 } });
      const named = async () => (await Array.fromAsync(tags.list())).find(({ tagName }) => tagName === 'team');
      expect(await named()).toMatchObject({
        id: `${ROOT}/tagNames/team`,
        count: { value: 1 },
        values: [
          { id: `${ROOT}/tagNames/team/tagValues/b`, tagValue: 'b', count: { type: 'Total', value: 0 } },
          { tagValue: 'a', count: { value: 1 } },
        ],
      });
      await tags.createOrUpdateAtScope(WIDGET, { properties: { tags: { Team: 'b' } } });
      expect((await named())?.count?.value).toBe(2);
      await expect(tags.delete('team')).rejects.toMatchObject({ statusCode: 409, code: 'TagNameInUse' });
      await expect(tags.deleteValue('team', 'b')).rejects.toMatchObject({ statusCode: 409, code: 'TagValueInUse' });
      await tags.deleteAtScope(WIDGET);
      await tags.deleteAtScope(GROUP);
      await expect(tags.delete('team')).rejects.toMatchObject({ statusCode: 409, code: 'TagNameHasTagValues' });
      await tags.deleteValue('team', 'b');
      await tags.delete('team');
      expect(await named()).toBeUndefined();
      await tags.delete('team');
    });
  },
  OPTIONS,
);

onAnyStore(
  'tags at a scope',
  (bench) => {
    const at = (scope: string) => `${scope}/providers/Vendor.Resources/tags/default?${V}`;
    const put = (scope: string, body: unknown = { properties: { tags: { a: 'b' } } }) =>
      bench.call('PUT', at(scope), { body });
    const make = async () => {
      await bench.call('PUT', `${GROUP}?${V}`, { body: { location: 'eastus' } });
      await bench.call('PUT', `${WIDGET}?api-version=2024-01-01`, {
        body: { location: 'eastus', properties: { size: 1 } },
      });
    };

    it('answer in the prefix of the request, and record every write', async () => {
      await make();
      const path = at(WIDGET).replaceAll('Vendor', 'Microsoft');
      const reply = await bench.call('PUT', path, { body: { properties: { tags: { a: 'b' } } } });
      expect(reply.body).toEqual({
        id: `${WIDGET}/providers/Vendor.Resources/tags/default`.replaceAll('Vendor', 'Microsoft'),
        name: 'default',
        type: 'Microsoft.Resources/tags',
        properties: { tags: { a: 'b' } },
      });
      const { value } = (
        await bench.call('GET', '/_jar/changes?$top=1&$orderby=cursor desc', { token: bench.jar.adminKey })
      ).body;
      expect(value[0]).toMatchObject({ outcome: 'Succeeded', data: { operationName: 'Vendor.Resources/tags/write' } });
    });

    const topic = `${GROUP}/providers/Vendor.EventGrid/eventSubscriptions/s`;
    const cases: [what: string, method: string, path: string, body: unknown, status: number, code: string][] = [
      ['a child without tags', 'PUT', at(topic), { properties: { tags: {} } }, 400, 'TagsNotSupportedForResource'],
      ['a child without tags, read', 'GET', at(topic), undefined, 400, 'TagsNotSupportedForResource'],
      ['a resource that does not exist', 'GET', at(`${WIDGET}none`), undefined, 404, 'ResourceNotFound'],
      ['a group that does not exist', 'GET', at(`${GROUP}none`), undefined, 404, 'ResourceGroupNotFound'],
      [
        'a type that does not exist',
        'GET',
        at(WIDGET.replace('widgets', 'gears')),
        undefined,
        404,
        'InvalidResourceType',
      ],
      [
        'a provider that does not exist',
        'GET',
        at(WIDGET.replace('.Test', '.No')),
        undefined,
        404,
        'InvalidResourceNamespace',
      ],
      ['half an id', 'GET', at(`${GROUP}/providers/Vendor.Test/widgets`), undefined, 400, 'InvalidScope'],
      [
        'a management group',
        'GET',
        at('/providers/Vendor.Management/managementGroups/x'),
        undefined,
        400,
        'InvalidScope',
      ],
      ['no properties', 'PUT', at(WIDGET), {}, 400, 'InvalidRequestContent'],
      ['a number as a value', 'PUT', at(WIDGET), { properties: { tags: { a: 1 } } }, 400, 'InvalidRequestContent'],
      ['an unknown operation', 'PATCH', at(WIDGET), { operation: 'Add', properties: {} }, 400, 'InvalidRequestContent'],
      [
        'a name that is too long',
        'PUT',
        at(WIDGET),
        { properties: { tags: { ['x'.repeat(513)]: '' } } },
        400,
        'InvalidTag',
      ],
      [
        'a merge to more than 50',
        'PATCH',
        at(WIDGET),
        {
          operation: 'Merge',
          properties: { tags: Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`t${i}`, ''])) },
        },
        400,
        'InvalidTag',
      ],
      [
        'an unknown version',
        'GET',
        at(WIDGET).replace('2021-04-01', '2021-04-02'),
        undefined,
        400,
        'InvalidApiVersionParameter',
      ],
      [
        'a value of an unknown name',
        'PUT',
        `${ROOT}/tagNames/none/tagValues/v?${V}`,
        undefined,
        404,
        'TagNameNotFound',
      ],
      ['a name with a forbidden sign', 'PUT', `${ROOT}/tagNames/a%3Fb?${V}`, undefined, 400, 'InvalidTag'],
    ];
    describe('refuse', () => {
      it.each(cases)('%s', async (_what, method, path, body, status, code) => {
        await make();
        await put(WIDGET);
        const reply = await bench.call(method, path, { body });
        expect({ status: reply.status, code: reply.body?.error?.code }).toEqual({ status, code });
        expect((await bench.call('GET', at(WIDGET))).body.properties.tags).toEqual({ a: 'b' });
      });

      it('readers who write, and strangers', async () => {
        await make();
        for (const user of ['no-job-queue', 'delegated-admin']) {
          const token = await bench.jar.token({ user });
          const reply = await bench.call('PUT', at(WIDGET), { token, body: { properties: { tags: {} } } });
          expect(reply).toMatchObject({ status: 403, body: { error: { code: 'AuthorizationFailed' } } });
        }
      });
    });

    it('names answer 201 when new, 200 when there, and 204 when there is nothing to delete', async () => {
      const statuses = [];
      for (const [method, path] of [
        ['PUT', 'new'],
        ['PUT', 'NEW'],
        ['PUT', 'new/tagValues/v'],
        ['PUT', 'new/tagValues/v'],
        ['DELETE', 'new/tagValues/v'],
        ['DELETE', 'new/tagValues/v'],
        ['DELETE', 'new'],
        ['DELETE', 'new'],
      ])
        statuses.push((await bench.call(method as string, `${ROOT}/tagNames/${path}?${V}`)).status);
      expect(statuses).toEqual([201, 200, 201, 200, 200, 204, 200, 204]);
    });
  },
  { ...OPTIONS, namespace: ['Microsoft'] },
);
