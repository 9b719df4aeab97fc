import { expect, it } from 'vitest';
import { type Bench, onAnyStore, onBothStores, type Reply, SUBSCRIPTION } from '../../support/jars.ts';
import { aContainer, aGroup, type Body, Groups, groupRoot } from './groups.ts';

const viewOf = ({ body }: Reply): Body => body.properties.containers[0].properties.instanceView;
const at = (bench: Bench, group: string, name: string, version: string): Promise<Reply> =>
  bench.call('GET', `${groupRoot(group)}/${name}?api-version=${version}`);

onBothStores(
  'the answers of container groups',
  (bench) => {
    const groups = new Groups(bench, 'answers');

    it('have the headers of the real service, and leave the pace of polls to the client', async () => {
      const put = await groups.put('web', aGroup());
      const identifier = /^tenantId=[0-9a-f-]{36},objectId=[0-9a-f-]{36}\/westus\/[0-9a-f-]{36}$/;
      expect(put.headers.get('x-ms-operation-identifier')).toMatch(identifier);
      expect(put.headers.get('azure-asyncnotification')).toBe('Enabled');
      expect(put.headers.get('retry-after')).toBeNull();
      const polled = await bench.call('GET', put.headers.get('azure-asyncoperation') ?? '');
      expect(polled.headers.get('retry-after')).toBeNull();
      await bench.jar.settled();
      const read = await groups.get('web');
      expect(read.headers.get('x-ms-operation-identifier')).toMatch(identifier);
      expect(read.headers.get('azure-asyncnotification')).toBeNull();
    });

    it('have their members in the order of the real service', async () => {
      const { body } = await groups.get('web');
      expect(Object.keys(body).slice(0, 6)).toEqual(['properties', 'id', 'name', 'type', 'location', 'tags']);
      expect(Object.keys(body.properties)).toEqual([
        'sku',
        'isCreatedFromStandbyPool',
        'provisioningState',
        'provisioningTimeoutInSeconds',
        'isCustomProvisioningTimeout',
        'containers',
        'initContainers',
        'osType',
        'instanceView',
      ]);
    });

    it('have the members of a container in the order of the real service, and amounts with a decimal point', async () => {
      const ports = [{ port: 80, protocol: 'TCP' }];
      const containers = [aContainer('web', { ports, command: ['sleep', '600'] })];
      const ipAddress = { type: 'Public', ports, dnsNameLabel: 'ordered' };
      const made = await groups.create('ordered', aGroup({ containers, ipAddress }));
      expect(Object.keys(made.properties.containers[0].properties)).toEqual([
        'image',
        'command',
        'ports',
        'environmentVariables',
        'configMap',
        'instanceView',
        'resources',
      ]);
      expect(Object.keys(made.properties.ipAddress)).toEqual(['ports', 'ip', 'type', 'dnsNameLabel', 'fqdn']);
      const path = `${bench.jar.url}${groupRoot('answers')}/ordered?api-version=2023-05-01`;
      const headers = { authorization: `Bearer ${await bench.jar.token()}` };
      const text = await (await fetch(path, { headers })).text();
      expect(text).toContain('"resources":{"requests":{"memoryInGB":1.5,"cpu":1.0}}');
    });

    it('leave out a private address until the network has given it', async () => {
      const ports = [{ port: 80, protocol: 'TCP' }];
      const body = aGroup({ containers: [aContainer('web', { ports })], ipAddress: { type: 'Private', ports } });
      const made = await groups.put('inside', body);
      expect(made.body.properties).not.toHaveProperty('ipAddress');
      const { properties } = await groups.settled('inside');
      expect(properties.ipAddress).toEqual({ ports, ip: expect.any(String), type: 'Private' });
    });

    it('show the start of an operation, and not its end', async () => {
      const put = await groups.put('polled', aGroup());
      await bench.jar.settled();
      const polled = await bench.call('GET', put.headers.get('azure-asyncoperation') ?? '');
      expect(Object.keys(polled.body)).toEqual(['id', 'status', 'startTime', 'properties']);
    });

    it('tell of a start in the words of the real service, with whole seconds', async () => {
      const { events, currentState } = viewOf(await groups.get('web'));
      const image = /^(pulling|Successfully pulled) image "nginx@sha256:[0-9a-f]{64}"$/;
      expect(events).toMatchObject([
        { name: 'Pulling', type: 'Normal', count: 1, message: expect.stringMatching(image) },
        { name: 'Pulled', type: 'Normal', message: expect.stringMatching(image) },
        { name: 'Started', type: 'Normal', message: 'Started container' },
      ]);
      for (const { firstTimestamp, lastTimestamp } of events)
        for (const time of [firstTimestamp, lastTimestamp]) expect(time).toBe('2026-03-01T12:00:00Z');
      expect(currentState.startTime).toBe('2026-03-01T12:00:00.25Z');
    });

    it('tell of the making of a container in versions of their time', async () => {
      const namesAt = async (version: string): Promise<string[]> =>
        viewOf(await at(bench, 'answers', 'web', version)).events.map(({ name }: Body) => name);
      expect(await namesAt('2018-10-01')).toEqual(['Pulling', 'Pulled', 'Created', 'Started']);
      expect(await namesAt('2021-10-01')).toEqual(['Pulling', 'Pulled', 'Created', 'Started']);
      expect(await namesAt('2022-09-01')).toEqual(['Pulling', 'Pulled', 'Started']);
      expect(await namesAt('2025-09-01')).toEqual(['Pulling', 'Pulled', 'Started']);
    });

    it('say how a container has ended, and for how long it waits', async () => {
      await groups.create('crash', aGroup({ containers: [aContainer('main', { image: 'simulated/crash:1s' })] }));
      await bench.jar.clock.advance(1000);
      // The first restart is immediate, the second after ten seconds.
      await bench.jar.clock.advance(1000);
      const view = viewOf(await groups.get('crash'));
      expect(view.currentState).toEqual({
        state: 'Waiting',
        detailStatus: 'CrashLoopBackOff: Back-off 10s restarting failed',
      });
      expect(view.previousState).toMatchObject({ state: 'Terminated', exitCode: 1, detailStatus: 'Error' });
      expect(view.events).toContainEqual(
        expect.objectContaining({
          name: 'Killing',
          type: 'Normal',
          count: 2,
          message: 'Container main terminated with ExitCode 1.',
        }),
      );
      expect(view.events).toContainEqual(
        expect.objectContaining({ name: 'BackOff', type: 'Warning', message: 'Back-off restarting failed container' }),
      );
    });

    it('have no instance view of a container before its first event', async () => {
      const made = await groups.put(
        'late',
        aGroup({
          containers: [aContainer('web')],
          initContainers: [{ name: 'wait', properties: { image: 'busybox', command: ['sleep', '60'] } }],
        }),
      );
      expect(made.body.properties.containers[0].properties).not.toHaveProperty('instanceView');
      await bench.jar.settled();
      const { properties } = (await groups.get('late')).body;
      expect(properties.containers[0].properties).not.toHaveProperty('instanceView');
      expect(properties.initContainers[0].properties.instanceView.currentState.state).toBe('Running');
    });

    it('know a deleted group for a while, and nothing of one that never was', async () => {
      await groups.create('gone', aGroup());
      expect((await groups.delete('gone')).body).toMatchObject({
        name: 'gone',
        properties: { provisioningState: 'Succeeded' },
      });
      for (const [method, below] of [
        ['GET', ''],
        ['POST', '/stop'],
        ['GET', '/containers/web/logs'],
      ] as const) {
        const { status, body } = await groups.call(method, `gone${below}`);
        expect([status, body.error.code]).toEqual([404, 'ContainerGroupNotFound']);
        expect(body.error.message).toContain("'gone'");
      }
      const never = await groups.get('never');
      expect([never.status, never.body.error.code]).toEqual([404, 'ResourceNotFound']);
      await bench.jar.clock.advance('6m');
      expect((await groups.get('gone')).body.error.code).toBe('ResourceNotFound');
      await groups.create('gone', aGroup());
      expect((await groups.get('gone')).status).toBe(200);
    });

    it('ends an init container without a command, so that the others start', async () => {
      const init = [{ name: 'first', properties: { image: 'nginx' } }];
      const made = await groups.create('prepared', aGroup({ initContainers: init }));
      expect(made.properties.initContainers[0].properties.instanceView.currentState).toMatchObject({
        state: 'Terminated',
        exitCode: 0,
        detailStatus: 'Completed',
      });
      expect(made.properties.instanceView.state).toBe('Running');
    });
  },
  { clockStart: '2026-03-01T12:00:00.250Z' },
);

onAnyStore('what the real service fills in and leaves out', (bench) => {
  const groups = new Groups(bench, 'fills');
  const put = async (name: string, properties: Body, rest: Body = {}): Promise<Body> => {
    const made = await groups.put(name, aGroup(properties, rest));
    expect(made.body.error).toBeUndefined();
    return made.body;
  };

  it('drops the scope of a label that is not there', async () => {
    const ports = [{ port: 80, protocol: 'TCP' }];
    const containers = [aContainer('web', { ports })];
    const ipAddress = { type: 'Public', ports, autoGeneratedDomainNameLabelScope: 'TenantReuse' };
    const without = await put('without', { containers, ipAddress });
    expect(without.properties.ipAddress).not.toHaveProperty('autoGeneratedDomainNameLabelScope');
    const withLabel = await put('with', { containers, ipAddress: { ...ipAddress, dnsNameLabel: 'labelled' } });
    expect(withLabel.properties.ipAddress.autoGeneratedDomainNameLabelScope).toBe('TenantReuse');
    // The first version with scopes shows a default scope.
    const scopeAt = async (version: string): Promise<Body> =>
      (await at(bench, 'fills', 'without', version)).body.properties.ipAddress.autoGeneratedDomainNameLabelScope;
    expect(await scopeAt('2021-10-01')).toBe('Unsecure');
    for (const version of ['2021-09-01', '2022-09-01', '2025-09-01']) expect(await scopeAt(version)).toBeUndefined();
  });

  it('gives a confidential group a policy that allows everything, unless it has one', async () => {
    const made = await put('confidential', { sku: 'Confidential', confidentialComputeProperties: {} });
    const policy = Buffer.from(made.properties.confidentialComputeProperties.ccePolicy, 'base64').toString('utf8');
    expect(policy).toMatch(/^package policy\n\napi_svn := "0\.10\.0"\n/);
    expect(policy.match(/"allowed": true/g)).toHaveLength(17);
    for (const rule of ['create_container', 'exec_external'])
      expect(policy).toContain(`${rule} := {"allowed": true, "env_list": null, "allow_stdio_access": true}`);
    expect(made.properties.confidentialComputeProperties.ccePolicy).toHaveLength(1028);
    expect(Object.keys(made.properties).slice(0, 2)).toEqual(['sku', 'confidentialComputeProperties']);
    const own = { ccePolicy: Buffer.from('package own').toString('base64') };
    const given = await put('given', { sku: 'Confidential', confidentialComputeProperties: own });
    expect(given.properties.confidentialComputeProperties).toEqual(own);
    expect((await put('standard', {})).properties).not.toHaveProperty('confidentialComputeProperties');
  });

  it('echoes a security context and no restart policy that was not sent', async () => {
    const securityContext = { privileged: false, allowPrivilegeEscalation: true, capabilities: {} };
    const made = await put('secure', { containers: [aContainer('web', { securityContext })] });
    expect(made.properties.containers[0].properties.securityContext).toEqual(securityContext);
    expect(made.properties).not.toHaveProperty('restartPolicy');
  });

  it('keeps references to secrets in the versions that have them', async () => {
    const body = aGroup({
      sku: 'NotSpecified',
      identityAcls: { defaultAccess: 'None', acls: [{ identity: 'system', access: 'All' }] },
      secretReferences: [{ name: 'ref', identity: 'id', secretReferenceUri: 'https://vault.example/secrets/a' }],
      containers: [aContainer('web', { environmentVariables: [{ name: 'A', secureValueReference: 'ref' }] })],
      volumes: [{ name: 'files-1', secretReference: { file: 'ref' } }],
      imageRegistryCredentials: [{ server: 'r.example', username: 'u', passwordReference: 'ref' }],
    });
    const address = `${groupRoot('fills')}/referring`;
    const made = await bench.call('PUT', `${address}?api-version=2025-09-01`, { body });
    expect(made.status).toBe(201);
    expect(made.body.properties).toMatchObject({
      sku: 'NotSpecified',
      identityAcls: body.properties.identityAcls,
      secretReferences: body.properties.secretReferences,
      volumes: body.properties.volumes,
      imageRegistryCredentials: body.properties.imageRegistryCredentials,
    });
    await bench.jar.settled();
    const older = (await at(bench, 'fills', 'referring', '2024-05-01-preview')).body.properties;
    expect(older).not.toHaveProperty('secretReferences');
    expect(older).not.toHaveProperty('identityAcls');
    const refused = await bench.call('PUT', `${address}?api-version=2024-05-01-preview`, {
      body: aGroup({ sku: 'NotSpecified' }),
    });
    expect(refused.body.error.code).toBe('InvalidSku');
  });

  it('answers exec with a password of 26 printable signs and the size of the terminal', async () => {
    await groups.create('shell', aGroup());
    const terminalSize = { rows: 31, cols: 99 };
    const { body } = await groups.call('POST', 'shell/containers/web/exec', { body: { command: 'sh', terminalSize } });
    const none = { command: 'sh', terminalSize: { rows: 0, cols: 0 } };
    const sizeless = (await groups.call('POST', 'shell/containers/web/exec', { body: none })).body;
    expect(sizeless.webSocketUri).toMatch(/&rows=24&cols=80$/);
    expect(body.password).toMatch(/^[!-~]{26}$/);
    expect(body.webSocketUri).toMatch(/\/execstream\/sessionId\/[0-9a-f-]{36}\?api-version=1\.0&rows=31&cols=99$/);
  });
});

onBothStores('groups with GPUs', (bench) => {
  const groups = new Groups(bench, 'gpus');
  const withGpu = (sku: string, count: number, location = 'eastus'): Body =>
    aGroup(
      { containers: [aContainer('web', { resources: { requests: { cpu: 6, memoryInGB: 50, gpu: { count, sku } } } })] },
      { location },
    );

  it('run where the region offers them, and are counted', async () => {
    const region = `/subscriptions/${SUBSCRIPTION}/providers/Vendor.ContainerInstance/locations/eastus`;
    const { value } = (await bench.call('GET', `${region}/capabilities?api-version=2023-05-01`)).body;
    expect(new Set(value.map(({ gpu }: Body) => gpu))).toEqual(new Set(['None', 'K80', 'P100', 'V100']));
    const made = await groups.create('trainer', withGpu('K80', 2));
    expect(made.properties).toMatchObject({ provisioningState: 'Succeeded', instanceView: { state: 'Running' } });
    expect(made.properties.containers[0].properties.resources.requests.gpu).toEqual({ count: 2, sku: 'K80' });
    const usages = (await bench.call('GET', `${region}/usages?api-version=2023-05-01`)).body.value;
    const used = (name: string) => usages.find((it: Body) => it.name.value === name).currentValue;
    expect([used('StandardK80Cores'), used('StandardCores'), used('ContainerGroups')]).toEqual([6, 0, 1]);
  });

  it.each([
    ['of a kind whose quota is zero', withGpu('V100', 1), 400, 'ContainerGroupQuotaReached'],
    ['that the region does not have', withGpu('K80', 1, 'norwaywest'), 409, 'ServiceUnavailable'],
    ['in a number that there is not', withGpu('P100', 3), 400, 'InvalidGpuCount'],
  ])('are refused: %s', async (_, body, status, code) => {
    const refused = await groups.put('refused', body);
    expect([refused.status, refused.body.error.code]).toEqual([status, code]);
    expect((await groups.get('refused')).status).toBe(404);
  });
});
