import { gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { readChanges } from '../../support/changes.ts';
import { onAnyStore } from '../../support/jars.ts';
import { fullGroup, IDENTITY, SECRETS } from './full-group.ts';
import { aContainer, aGroup, type Body, Groups } from './groups.ts';

const hush = /hush-|aHVzaC/;

function secretsIn(text: string): string[] {
  return Object.values(SECRETS).filter((secret) => text.includes(secret));
}

onAnyStore('what a client reads of a group', (bench) => {
  const groups = new Groups(bench, 'echoes');
  const control = (method: string, path: string) => bench.call(method, `/_jar${path}`, { token: bench.jar.adminKey });

  it("is the request body, without secrets and with the service's defaults", async () => {
    const sent = fullGroup();
    const made = await groups.put('full', sent);
    expect(made.status).toBe(201);
    const [web, helper] = sent.properties.containers;
    const expected = {
      ...sent.properties,
      provisioningState: 'Pending',
      instanceView: { events: [], state: 'Pending' },
      containers: [
        {
          ...web,
          properties: {
            ...web.properties,
            environmentVariables: [{ name: 'PLAIN', value: 'seen' }, { name: 'SECRET' }],
            configMap: { keyValuePairs: {} },
          },
        },
        {
          ...helper,
          properties: { ...helper.properties, ports: [], environmentVariables: [], configMap: { keyValuePairs: {} } },
        },
      ],
      initContainers: [
        {
          ...sent.properties.initContainers[0],
          properties: {
            ...sent.properties.initContainers[0].properties,
            environmentVariables: [{ name: 'INIT_SECRET' }],
          },
        },
      ],
      volumes: [
        { name: 'scratch', emptyDir: {} },
        { name: 'keys-of-web', secret: {} },
        sent.properties.volumes[2],
        {
          name: 'shared-files',
          azureFile: { shareName: 'documents', storageAccountName: 'account1', readOnly: true },
        },
      ],
      imageRegistryCredentials: [
        { server: 'registry.example', username: 'puller', isDelegatedIdentity: false },
        {
          server: 'other.example:5000',
          identity: IDENTITY,
          identityUrl: 'https://id.example',
          isDelegatedIdentity: false,
        },
      ],
      ipAddress: { ...sent.properties.ipAddress, fqdn: 'full-group.westus.containers.localhost' },
      provisioningTimeoutInSeconds: 1800,
      isCustomProvisioningTimeout: false,
      isCreatedFromStandbyPool: false,
    };
    delete expected.diagnostics.logAnalytics.workspaceKey;
    delete expected.extensions[0].properties.protectedSettings;
    expect(made.body.properties).toEqual(expected);
    expect(made.body).toMatchObject({ location: 'westus', zones: ['1'], tags: { purpose: 'everything' } });
  });

  it('has no instance view in lists', async () => {
    await bench.jar.settled();
    const [listed] = (await groups.call('GET', '')).body.value;
    expect(listed.name).toBe('full');
    expect(listed.properties).not.toHaveProperty('instanceView');
    for (const container of listed.properties.containers)
      expect(container.properties).not.toHaveProperty('instanceView');
    const one = await groups.get('full');
    expect(one.body.properties.instanceView.state).toBeDefined();
    expect(one.body.properties.containers[0].properties.instanceView.currentState.state).toBeDefined();
    expect(one.body.properties.initContainers[0].properties.instanceView.currentState.state).toBeDefined();
    expect(one.body.properties.provisioningState).toBe(listed.properties.provisioningState);
  });

  it('never has a secret in it, nor has anything else that can be read', async () => {
    const texts = [
      (await groups.get('full')).text,
      (await groups.call('GET', '')).text,
      (await groups.call('PATCH', 'full', { body: { tags: { a: 'b' } } })).text,
      JSON.stringify(await readChanges(bench.jar, (all) => all.some(({ kind }) => kind === 'write'))),
    ];
    await control('PUT', '/snapshots/secrets');
    const response = await fetch(`${bench.jar.url}/_jar/snapshots/secrets/content`, {
      headers: { authorization: `Bearer ${bench.jar.adminKey}` },
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    const snapshot = gunzipSync(bytes).toString('utf8');
    expect(snapshot).toContain('registry.example');
    for (const text of [...texts, snapshot]) {
      expect(secretsIn(text)).toEqual([]);
      expect(text).not.toMatch(hush);
    }
  });

  it('can be written back as it was read, and its secrets stay', async () => {
    const body = aGroup({
      containers: [
        aContainer('web', {
          image: 'busybox',
          command: ['sh', '-c', 'echo "$TOKEN"; sleep infinity'],
          environmentVariables: [{ name: 'TOKEN', secureValue: 'the-old-token' }],
        }),
      ],
      imageRegistryCredentials: [{ server: 'r.example', username: 'u', password: 'p' }],
      diagnostics: { logAnalytics: { workspaceId: 'w', workspaceKey: 'k' } },
    });
    const read = await groups.create('round', body);
    const written = await groups.put('round', read);
    expect(written.body.error).toBeUndefined();
    expect(written.status).toBe(200);
    const after = await groups.settled('round');
    expect(after.properties).toMatchObject({ provisioningState: 'Succeeded', instanceView: { state: 'Running' } });
    // For another user of the registry, no stored password applies.
    const other = { ...read.properties, imageRegistryCredentials: [{ server: 'r.example', username: 'v' }] };
    const refused = await groups.put('round', { ...read, properties: other });
    expect(refused.body.error).toMatchObject({
      code: 'MissingImageRegistryCredential',
      target: 'properties.imageRegistryCredentials[0].password',
    });
  });

  it('leaves out what was left out', async () => {
    const made = await groups.create('plain', aGroup({}, { tags: null }));
    expect(made.tags).toEqual({});
    for (const absent of ['zones', 'identity']) expect(made).not.toHaveProperty(absent);
    for (const absent of ['restartPolicy', 'ipAddress', 'volumes', 'priority', 'diagnostics'])
      expect(made.properties).not.toHaveProperty(absent);
    expect(made.properties).toMatchObject({ sku: 'Standard', initContainers: [] });
  });
});

onAnyStore('the identity of a group', (bench) => {
  const groups = new Groups(bench, 'identities');
  const GUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
  const withIdentity = (identity: Body): Body => aGroup({}, { identity });

  it('is given by the system, and stays the same through updates', async () => {
    const made = await groups.create('system', withIdentity({ type: 'SystemAssigned' }));
    expect(made.identity).toEqual({
      type: 'SystemAssigned',
      principalId: expect.stringMatching(GUID),
      tenantId: expect.stringMatching(GUID),
    });
    expect((await groups.put('system', withIdentity({ type: 'systemassigned' }))).body.identity).toEqual(made.identity);
    await bench.jar.settled();
    expect((await groups.put('system', aGroup())).body.identity).toEqual(made.identity);
  });

  it('is the same wherever a user has assigned it', async () => {
    const assigned = { type: 'UserAssigned', userAssignedIdentities: { [IDENTITY]: {} } };
    const one = await groups.create('user-1', withIdentity(assigned));
    const two = await groups.create('user-2', withIdentity(assigned));
    expect(one.identity).toEqual({
      type: 'UserAssigned',
      tenantId: expect.stringMatching(GUID),
      userAssignedIdentities: {
        [IDENTITY]: { principalId: expect.stringMatching(GUID), clientId: expect.stringMatching(GUID) },
      },
    });
    expect(two.identity).toEqual(one.identity);
  });

  it('can be both', async () => {
    const identity = { type: 'SystemAssigned,UserAssigned', userAssignedIdentities: { [IDENTITY]: {} } };
    expect((await groups.put('both', withIdentity(identity))).body.identity).toMatchObject({
      type: 'SystemAssigned, UserAssigned',
      principalId: expect.stringMatching(GUID),
      userAssignedIdentities: { [IDENTITY]: { clientId: expect.stringMatching(GUID) } },
    });
  });

  it('is taken away by None', async () => {
    await groups.create('none', withIdentity({ type: 'SystemAssigned' }));
    expect((await groups.put('none', withIdentity({ type: 'None' }))).body).not.toHaveProperty('identity');
    expect((await groups.get('none')).body).not.toHaveProperty('identity');
  });
});
