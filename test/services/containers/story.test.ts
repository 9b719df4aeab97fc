import { ContainerInstanceManagementClient } from '@azure/arm-containerinstance';
import { ResourceManagementClient } from '@azure/arm-resources';
import { expect, it } from 'vitest';
import { onBothStores, SUBSCRIPTION } from '../../support/jars.ts';

/** A complete user story of container groups with the official client: only endpoint, credential and authority are set. */
onBothStores(
  'a team runs container groups',
  (bench) => {
    const credential = {
      getToken: async () => ({ token: await bench.jar.token(), expiresOnTimestamp: Date.now() + 3_600_000 }),
    };
    const client = () =>
      new ContainerInstanceManagementClient(credential, SUBSCRIPTION, { endpoint: bench.jar.httpsUrl });
    const all = async <T>(list: AsyncIterable<T>): Promise<T[]> => Array.fromAsync(list);
    const polling = { updateIntervalInMs: 20 };

    const shop = {
      location: 'West US',
      osType: 'Linux',
      tags: { team: 'shop' },
      restartPolicy: 'Always',
      identity: { type: 'SystemAssigned' as const },
      containers: [
        {
          name: 'web',
          image: 'busybox',
          command: ['sh', '-c', 'echo "ready with $KEY"; sleep infinity'],
          environmentVariables: [
            { name: 'MODE', value: 'test' },
            { name: 'KEY', secureValue: 'hidden-key' },
          ],
          ports: [{ port: 8080, protocol: 'TCP' }],
          resources: { requests: { cpu: 1, memoryInGB: 1.5 } },
          volumeMounts: [{ name: 'scratch', mountPath: '/scratch' }],
        },
      ],
      initContainers: [{ name: 'first', image: 'busybox', command: ['true'] }],
      volumes: [{ name: 'scratch', emptyDir: {} }],
      ipAddress: { type: 'Public', ports: [{ port: 8080, protocol: 'TCP' }], dnsNameLabel: 'team-shop' },
    };

    it('creates a group and waits until it runs', async () => {
      const resources = new ResourceManagementClient(credential, SUBSCRIPTION, { endpoint: bench.jar.httpsUrl });
      await resources.resourceGroups.createOrUpdate('team', { location: 'westus' });
      const made = await client().containerGroups.beginCreateOrUpdateAndWait('team', 'shop', shop, polling);
      expect(made).toMatchObject({
        id: `/subscriptions/${SUBSCRIPTION}/resourceGroups/team/providers/Microsoft.ContainerInstance/containerGroups/shop`,
        type: 'Microsoft.ContainerInstance/containerGroups',
        location: 'westus',
        provisioningState: 'Succeeded',
        instanceView: { state: 'Running' },
        ipAddress: { fqdn: 'team-shop.westus.containers.localhost' },
        identity: { type: 'SystemAssigned' },
      });
      expect(made.identity?.principalId).toMatch(/^[0-9a-f-]{36}$/);
      const [web] = made.containers;
      expect(web?.instanceView?.currentState).toMatchObject({ state: 'Running', startTime: expect.any(Date) });
      expect(web?.instanceView?.events?.map(({ name }) => name)).toEqual(['Pulling', 'Pulled', 'Started']);
      expect(web?.environmentVariables).toEqual([{ name: 'MODE', value: 'test' }, { name: 'KEY' }]);
      expect(made.initContainers?.[0]?.instanceView?.currentState).toMatchObject({ state: 'Terminated', exitCode: 0 });
    });

    it('finds it again', async () => {
      const one = await client().containerGroups.get('team', 'shop');
      expect(one.instanceView?.state).toBe('Running');
      expect((await all(client().containerGroups.list())).map(({ name }) => name)).toEqual(['shop']);
      const [listed] = await all(client().containerGroups.listByResourceGroup('team'));
      expect(listed?.name).toBe('shop');
      expect(listed?.instanceView).toBeUndefined();
      await expect(client().containerGroups.get('team', 'absent')).rejects.toMatchObject({
        statusCode: 404,
        code: 'ResourceNotFound',
      });
    });

    it('reads errors the way the client library does', async () => {
      const wrong = { ...shop, containers: [{ ...shop.containers[0]!, name: 'Not_A_Name' }] };
      await expect(client().containerGroups.beginCreateOrUpdateAndWait('team', 'wrong', wrong)).rejects.toMatchObject({
        statusCode: 400,
        code: 'InvalidContainerName',
      });
    });

    it('updates its tags, and then its image', async () => {
      expect((await client().containerGroups.update('team', 'shop', { tags: { team: 'store' } })).tags).toEqual({
        team: 'store',
      });
      const changed = { ...shop, containers: [{ ...shop.containers[0]!, image: 'busybox:2' }] };
      const updated = await client().containerGroups.beginCreateOrUpdateAndWait('team', 'shop', changed, polling);
      expect(updated).toMatchObject({ provisioningState: 'Succeeded', containers: [{ image: 'busybox:2' }] });
    });

    it('reads what it wrote', async () => {
      const { content } = await client().containers.listLogs('team', 'shop', 'web');
      expect(content).toContain('ready with hidden-key\n');
      const stamped = await client().containers.listLogs('team', 'shop', 'web', { tail: 1, timestamps: true });
      expect(stamped.content).toMatch(/^\d{4}-\d\d-\d\dT.*Z ready with hidden-key\n$/);
    });

    it('gets an address to run a command at, and one to attach to', async () => {
      const terminalSize = { rows: 24, cols: 80 };
      const exec = await client().containers.executeCommand('team', 'shop', 'web', { command: 'sh', terminalSize });
      expect(exec.webSocketUri).toMatch(/^wss:\/\/.*exec/);
      expect(exec.password).toMatch(/./);
      const attach = await client().containers.attach('team', 'shop', 'web');
      expect(attach.webSocketUri).toMatch(/^wss:\/\//);
    });

    it('restarts it in place, stops it, and starts it again', async () => {
      await client().containerGroups.beginRestartAndWait('team', 'shop', polling);
      expect(await client().containerGroups.get('team', 'shop')).toMatchObject({
        provisioningState: 'Succeeded',
        instanceView: { state: 'Running' },
        containers: [{ instanceView: { restartCount: 0 } }],
      });
      await client().containerGroups.stop('team', 'shop');
      expect((await client().containerGroups.get('team', 'shop')).instanceView?.state).toBe('Stopped');
      await client().containerGroups.beginStartAndWait('team', 'shop', polling);
      expect((await client().containerGroups.get('team', 'shop')).instanceView?.state).toBe('Running');
    });

    it('looks at its region', async () => {
      const usages = await all(client().location.listUsage('westus'));
      expect(usages.map(({ name }) => name?.value)).toHaveLength(10);
      expect(usages[0]).toMatchObject({ name: { value: 'ContainerGroups' }, currentValue: 1, limit: 100 });
      const [largest] = await all(client().location.listCapabilities('westus'));
      expect(largest).toMatchObject({ osType: 'Linux', capabilities: { maxCpu: 32, maxMemoryInGB: 256 } });
      const images = await all(client().location.listCachedImages('westus'));
      expect(images.map(({ image }) => image)).toContain('busybox');
      expect((await all(client().operations.list())).map(({ name }) => name)).toContain(
        'Microsoft.ContainerInstance/containerGroups/write',
      );
      const endpoints = await client().containerGroups.getOutboundNetworkDependenciesEndpoints('team', 'shop');
      expect(Array.isArray(endpoints.body ?? endpoints)).toBe(true);
    });

    it('deletes it', async () => {
      const gone = await client().containerGroups.beginDeleteAndWait('team', 'shop', polling);
      expect(gone).toMatchObject({ name: 'shop', instanceView: { state: 'Running' } });
      expect(await all(client().containerGroups.list())).toEqual([]);
      const usages = await all(client().location.listUsage('westus'));
      expect(usages.every(({ currentValue }) => currentValue === 0)).toBe(true);
    });
  },
  { namespace: ['Microsoft'] },
);
