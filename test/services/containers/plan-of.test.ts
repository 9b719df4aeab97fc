import { expect, it } from 'vitest';
import { readBody } from '../../../src/kernel/arm/body/index.ts';
import type { Resource } from '../../../src/kernel/arm/collections.ts';
import { Vault } from '../../../src/kernel/auth/vault.ts';
import type { GroupPlan } from '../../../src/kernel/engines/plan.ts';
import { echoOf } from '../../../src/services/containers/api/echo.ts';
import { planOf } from '../../../src/services/containers/api/plan-of.ts';
import { GROUP } from '../../../src/services/containers/api/schema.ts';
import { sealSecrets, secretsIn } from '../../../src/services/containers/api/secrets.ts';
import type { Runtime } from '../../../src/services/containers/collections.ts';
import { fullGroup, SECRETS } from './full-group.ts';
import { aContainer, aGroup, type Body } from './groups.ts';

/** The engine's plan for a group with this body. */
function planned(sent: Body): GroupPlan {
  const vault = Vault.withRandomKey();
  const { properties = {} } = readBody(GROUP, sent, { context: undefined }).draft;
  const resource = { id: '/groups/g', name: 'g', properties: echoOf(properties) } as unknown as Resource;
  // As read from the store.
  const stored = JSON.parse(JSON.stringify(resource)) as Resource;
  return planOf(stored, { uid: 'u' } as Runtime, sealSecrets(vault, secretsIn(properties)), vault);
}

it('tells an engine everything that was sent, secrets included', () => {
  const plan = planned(fullGroup());
  expect(plan).toMatchObject({
    uid: 'u',
    resourceId: '/groups/g',
    name: 'g',
    osType: 'Linux',
    restartPolicy: 'OnFailure',
    network: {
      address: 'Public',
      ports: [
        { port: 80, protocol: 'TCP' },
        { port: 5353, protocol: 'UDP' },
      ],
      dns: {
        nameServers: ['10.0.0.53'],
        searchDomains: ['one.example', 'two.example'],
        options: ['ndots:2', 'rotate'],
      },
    },
    registries: [
      { server: 'registry.example', username: 'puller', password: SECRETS.password },
      { server: 'other.example:5000', username: undefined, password: undefined },
    ],
    volumes: [
      { kind: 'emptyDir', name: 'scratch' },
      { kind: 'secret', name: 'keys-of-web', files: { 'key.pem': SECRETS.file } },
      { kind: 'gitRepo', name: 'code-repo', repository: 'https://git.example/repo', directory: '.', revision: 'main' },
      {
        kind: 'azureFile',
        name: 'shared-files',
        shareName: 'documents',
        storageAccountName: 'account1',
        storageAccountKey: SECRETS.storageAccountKey,
        readOnly: true,
      },
    ],
  });
  expect(plan.containers[0]).toEqual({
    name: 'web',
    image: 'nginx',
    command: ['nginx', '-g', 'daemon off;'],
    env: [
      { name: 'PLAIN', value: 'seen' },
      { name: 'SECRET', value: SECRETS.secureValue },
    ],
    ports: [
      { port: 80, protocol: 'TCP' },
      { port: 5353, protocol: 'UDP' },
    ],
    resources: {
      requests: { cpu: 1, memoryBytes: 1.5 * 2 ** 30 },
      limits: { cpu: 1.5, memoryBytes: 2 * 2 ** 30 },
      gpu: undefined,
    },
    mounts: [
      { volume: 'scratch', path: '/scratch', readOnly: false },
      { volume: 'keys-of-web', path: '/etc/keys', readOnly: true },
    ],
    security: {
      privileged: false,
      allowPrivilegeEscalation: false,
      addCapabilities: ['NET_ADMIN'],
      dropCapabilities: ['MKNOD'],
      runAsUser: 1000,
      runAsGroup: 1000,
      seccompProfile: '{"defaultAction":"SCMP_ACT_ALLOW"}',
    },
    liveness: {
      check: { kind: 'exec', command: ['true'] },
      initialDelaySeconds: 5,
      periodSeconds: 20,
      failureThreshold: 4,
      successThreshold: 1,
      timeoutSeconds: 2,
    },
    readiness: {
      check: {
        kind: 'httpGet',
        path: '/ready',
        port: 80,
        scheme: 'http',
        headers: [{ name: 'X-Probe', value: 'yes' }],
      },
      initialDelaySeconds: 0,
      periodSeconds: 10,
      failureThreshold: 3,
      successThreshold: 2,
      timeoutSeconds: 1,
    },
  });
  expect(plan.init[0]).toMatchObject({
    name: 'prepare',
    env: [{ name: 'INIT_SECRET', value: SECRETS.initSecureValue }],
    mounts: [{ volume: 'scratch', path: '/scratch', readOnly: false }],
    resources: undefined,
    ports: [],
  });
});

it('fills in what was left out', () => {
  const container = aContainer('web', {
    command: [],
    ports: [{ port: 80 }],
    livenessProbe: { httpGet: { port: 80, path: 'health' } },
    environmentVariables: [{ name: 'EMPTY' }],
    securityContext: { capabilities: { add: ['cap_net_raw'] } },
  });
  const plan = planned(aGroup({ containers: [container] }));
  expect(plan).toMatchObject({
    restartPolicy: 'Always',
    network: { address: 'None', ports: [], dns: undefined },
    init: [],
    volumes: [],
    registries: [],
  });
  expect(plan.containers[0]).toMatchObject({
    command: undefined,
    ports: [{ port: 80, protocol: 'TCP' }],
    env: [{ name: 'EMPTY', value: '' }],
    resources: { limits: { cpu: 1, memoryBytes: 1.5 * 2 ** 30 } },
    security: { privileged: false, addCapabilities: ['NET_RAW'], seccompProfile: undefined },
    liveness: {
      check: { kind: 'httpGet', path: '/health', scheme: 'http', headers: [] },
      initialDelaySeconds: 0,
      periodSeconds: 10,
      failureThreshold: 3,
      successThreshold: 1,
      timeoutSeconds: 1,
    },
    readiness: undefined,
  });
});

it('keeps names apart that mean something in the language that this is written in', () => {
  const variables = [
    { name: '__proto__', secureValue: 'one' },
    { name: 'constructor', secureValue: 'two' },
  ];
  const secret = JSON.parse('{"__proto__":"YQ=="}');
  const plan = planned(
    aGroup({
      containers: [aContainer('web', { environmentVariables: variables })],
      volumes: [{ name: 'files', secret }],
    }),
  );
  expect(plan.containers[0]?.env).toEqual([
    { name: '__proto__', value: 'one' },
    { name: 'constructor', value: 'two' },
  ]);
  expect(JSON.stringify(plan.volumes)).toBe('[{"kind":"secret","name":"files","files":{"__proto__":"YQ=="}}]');
});
