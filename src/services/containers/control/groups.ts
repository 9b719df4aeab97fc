import { groupPath, type Resource, resources } from '../../../kernel/arm/index.ts';
import { ok } from '../../../kernel/http/index.ts';
import { entityShape, listAnswer, listOf, listQuery } from '../../../kernel/odata/index.ts';
import { readCached, type Store } from '../../../kernel/store/index.ts';
import { groupKey } from '../api/find-container.ts';
import { histories, type Runtime, runtimes } from '../collections.ts';
import { routeCode } from '../jar.ts';
import { GROUP_STATES, PROVISIONING_STATES } from '../runtime/states.ts';
import { groupControlErrors } from './errors.ts';
import { FullGroupView, fullView, GroupView, groupView } from './view.ts';

const Text = { type: 'Edm.String' } as const;
const Count = { type: 'Edm.Int64' } as const;
const Instant = { type: 'Edm.DateTimeOffset' } as const;

const shape = entityShape<Runtime>({
  name: 'container groups',
  collection: runtimes,
  properties: {
    uid: { type: 'Edm.Guid', field: 'uid' },
    id: Text,
    name: Text,
    subscriptionId: { type: 'Edm.Guid' },
    resourceGroup: Text,
    location: Text,
    osType: Text,
    restartPolicy: Text,
    engine: { ...Text, field: 'engine' },
    state: { type: { members: Object.keys(GROUP_STATES) } },
    provisioningState: { type: { members: Object.keys(PROVISIONING_STATES) } },
    trouble: Text,
    ip: Text,
    fqdn: Text,
    images: { ...Text, collection: true },
    containers: Count,
    running: Count,
    restarts: Count,
    createdAt: Instant,
  },
  scan: 'bounded',
});

export const listGroups = routeCode([], {
  query: listQuery(shape),
  responses: { 200: listOf(GroupView) },
  handle: (call) => {
    const { store } = call.jar;
    const resourceOf = (key: string): Promise<Resource | undefined> => read(store, key);
    return listAnswer(call, {
      shape,
      seen: async ({ key, value }) => ({ ...groupView(value, await resourceOf(key)), ...value }),
      view: async ({ key, value }) => groupView(value, await resourceOf(key)),
    });
  },
});

export const getGroup = routeCode(['subscription', 'resourceGroup', 'name'], {
  responses: { 200: FullGroupView },
  async handle({ jar: { store }, params: { subscription, resourceGroup, name } }) {
    const key = groupKey(groupPath(subscription, resourceGroup), name);
    const runtime = (await store.get(runtimes, key))?.value;
    if (!runtime)
      throw groupControlErrors.NoSuchContainerGroup({
        name: name.slice(0, 100),
        resourceGroup: resourceGroup.slice(0, 100),
      });
    const history = (await store.get(histories, key))?.value;
    return ok(fullView(runtime, await read(store, key), history));
  },
});

const read = async (store: Store, key: string): Promise<Resource | undefined> =>
  (await readCached(store, resources, key))?.value;
