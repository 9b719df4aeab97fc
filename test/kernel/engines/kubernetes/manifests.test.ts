import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { carriedFrom } from '../../../../src/kernel/engines/kubernetes/carried.ts';
import { type Manifests, manifestsOf } from '../../../../src/kernel/engines/kubernetes/pod.ts';
import type { GroupPlan, VolumePlan } from '../../../../src/kernel/engines/plan.ts';
import { MountProblem, StartProblem } from '../../../../src/kernel/engines/types.ts';
import { problemsOf } from './admission.ts';
import { containerPlan, groupPlan } from './harness.ts';
import { anyPlan } from './plans.ts';

const made = (plan: GroupPlan, generation = 1): Manifests =>
  manifestsOf({ owner: 'jar-one', plan, generation }, 10, {});

const withVolume = (volume: VolumePlan): Manifests =>
  made(
    groupPlan({
      volumes: [volume],
      containers: [containerPlan('web', { mounts: [{ volume: volume.name, path: '/data', readOnly: true }] })],
    }),
  );

/** Occurs in no name or keyword of a manifest, and encodes to a whole number of base64 groups. */
const MARK = 's3cr3t00';

/** Prefixes everything that must be hidden with the mark. */
function marked(plan: GroupPlan): GroupPlan {
  const mark = <Container extends Pick<GroupPlan['containers'][number], 'env'>>(container: Container): Container => ({
    ...container,
    env: container.env.map((each) => ({ ...each, value: MARK + each.value })),
  });
  const hide = (volume: VolumePlan): VolumePlan => {
    if (volume.kind === 'azureFile') return { ...volume, storageAccountKey: MARK + (volume.storageAccountKey ?? '') };
    if (volume.kind !== 'secret') return volume;
    return { ...volume, files: Object.fromEntries(Object.entries(volume.files).map(([k, v]) => [k, MARK + v])) };
  };
  return {
    ...plan,
    init: plan.init.map(mark),
    containers: plan.containers.map(mark),
    registries: plan.registries.map((each) => ({ ...each, password: MARK + (each.password ?? '') })),
    volumes: plan.volumes.map(hide),
  };
}

const problems = ({ pod, secrets, service }: Manifests): string[] => [
  ...problemsOf('pods', pod),
  ...secrets.flatMap((it) => problemsOf('secrets', it)),
  ...(service ? problemsOf('services', service) : []),
];

const decoded = (text: string | undefined): string => Buffer.from(text ?? '', 'base64').toString();

describe('the manifests of a group', () => {
  it('are valid by the published schemas and the rules of the API, whatever the plan', () => {
    fc.assert(
      fc.property(anyPlan, (plan) => {
        expect(problems(made(plan))).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  it('hold no secret in the Pod or the Service, whatever the plan', () => {
    fc.assert(
      fc.property(anyPlan, (plan) => {
        const { pod, service } = made(marked(plan));
        expect(JSON.stringify([pod, service])).not.toContain(MARK);
      }),
      { numRuns: 200 },
    );
  });

  it('are refused by the stand-in where they are wrong', () => {
    const { pod } = made(groupPlan());
    const spec = { ...pod.spec!, nonsense: true };
    expect(problemsOf('pods', { ...pod, spec })).toEqual(['unknown field ".spec.nonsense"']);
    expect(problemsOf('pods', { ...pod, spec: { ...pod.spec, containers: 'none' } })).not.toEqual([]);
  });

  it('give a container its command, ports, resources and probes', () => {
    const timings = {
      initialDelaySeconds: 1,
      periodSeconds: 2,
      failureThreshold: 3,
      successThreshold: 4,
      timeoutSeconds: 5,
    };
    const container = containerPlan('web', {
      command: ['sh', '-c', 'echo $(HOME) $$'],
      ports: [{ port: 53, protocol: 'UDP' }],
      resources: {
        requests: { cpu: 0.25, memoryBytes: 500_000_000 },
        limits: { cpu: 1.5, memoryBytes: 1_000_000_000 },
        gpu: { count: 2, sku: 'V100' },
      },
      liveness: { check: { kind: 'exec', command: ['test', '$(X)'] }, ...timings },
      readiness: {
        check: { kind: 'httpGet', path: '/up', port: 80, scheme: 'https', headers: [{ name: 'Host', value: 'a' }] },
        ...timings,
      },
    });
    const { pod } = made(groupPlan({ containers: [container] }));
    expect(pod.spec?.nodeSelector).toEqual({ 'kubernetes.io/os': 'linux', 'cloudjar.dev/gpu-sku': 'V100' });
    expect(pod.spec?.containers[0]).toEqual({
      name: 'web',
      image: 'web:1',
      command: ['sh', '-c', 'echo $$(HOME) $$$$'],
      ports: [{ containerPort: 53, protocol: 'UDP' }],
      resources: {
        requests: { cpu: '250m', memory: '500000000' },
        limits: { cpu: '1500m', memory: '1000000000', 'nvidia.com/gpu': '2' },
      },
      livenessProbe: { exec: { command: ['test', '$$(X)'] }, ...timings, successThreshold: 1 },
      readinessProbe: {
        httpGet: { path: '/up', port: 80, scheme: 'HTTPS', httpHeaders: [{ name: 'Host', value: 'a' }] },
        ...timings,
      },
    });
  });

  it('give the security context that was asked for, and none on Windows', () => {
    const security = {
      privileged: false,
      allowPrivilegeEscalation: false,
      addCapabilities: ['CAP_NET_ADMIN'],
      dropCapabilities: ['all'],
      runAsUser: 1000,
      runAsGroup: 0,
      seccompProfile: undefined,
    };
    const containers = [containerPlan('web', { security })];
    expect(made(groupPlan({ containers })).pod.spec?.containers[0]?.securityContext).toEqual({
      privileged: false,
      allowPrivilegeEscalation: false,
      capabilities: { add: ['NET_ADMIN'], drop: ['ALL'] },
      runAsUser: 1000,
      runAsGroup: 0,
    });
    const windows = made(groupPlan({ osType: 'Windows', containers })).pod.spec;
    expect(windows).toMatchObject({ os: { name: 'windows' }, nodeSelector: { 'kubernetes.io/os': 'windows' } });
    expect(windows?.containers[0]?.securityContext).toBeUndefined();
    const profiled = [containerPlan('web', { security: { ...security, seccompProfile: '{}' } })];
    expect(() => made(groupPlan({ containers: profiled }))).toThrow(StartProblem);
  });

  it('keep the containers away from the cluster that runs them', () => {
    const { pod } = made(groupPlan());
    expect(pod.spec).toMatchObject({
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      hostname: 'group-one',
      restartPolicy: 'Always',
      terminationGracePeriodSeconds: 10,
    });
  });

  it('give the environment by way of a Secret, the last value of a name', () => {
    const env = [
      { name: 'A', value: 'first' },
      { name: 'B', value: '$(A)' },
      { name: 'A', value: 'last' },
    ];
    const { pod, secrets } = made(groupPlan({ containers: [containerPlan('web', { env })] }), 7);
    const name = secrets[0]?.metadata?.name;
    expect(name).toBe(`cj-${pod.metadata?.labels?.['cloudjar.dev/group']}-7-env-web`);
    expect(Object.entries(secrets[0]?.data ?? {}).map(([key, value]) => [key, decoded(value)])).toEqual([
      ['A', 'last'],
      ['B', '$(A)'],
    ]);
    expect(pod.spec?.containers[0]?.env).toEqual([
      { name: 'A', valueFrom: { secretKeyRef: { name, key: 'A' } } },
      { name: 'B', valueFrom: { secretKeyRef: { name, key: 'B' } } },
    ]);
  });

  it('give secret files under any name', () => {
    const files = { 'a b.txt': Buffer.from('one').toString('base64'), '.hidden': '' };
    const { pod, secrets } = withVolume({ name: 'files', kind: 'secret', files });
    const secretName = secrets[0]?.metadata?.name;
    expect(decoded(secrets[0]?.data?.['file-0'])).toBe('one');
    expect(pod.spec?.volumes).toEqual([
      {
        name: 'files',
        secret: {
          secretName,
          items: [
            { key: 'file-0', path: 'a b.txt' },
            { key: 'file-1', path: '.hidden' },
          ],
        },
      },
    ]);
  });

  it('mount a file share with its key in a Secret, and refuse one without', () => {
    const share = {
      name: 'share',
      kind: 'azureFile' as const,
      shareName: 'docs',
      storageAccountName: 'account',
      readOnly: true,
    };
    const { pod, secrets } = withVolume({ ...share, storageAccountKey: 'c2VjcmV0' });
    const secretName = secrets[0]?.metadata?.name;
    expect(pod.spec?.volumes).toEqual([
      { name: 'share', azureFile: { secretName, shareName: 'docs', readOnly: true } },
    ]);
    expect(decoded(secrets[0]?.data?.azurestorageaccountkey)).toBe('c2VjcmV0');
    expect(() => withVolume({ ...share, storageAccountKey: undefined })).toThrow(MountProblem);
  });

  it('clone a repository without a shell, before the init containers', () => {
    const repository = 'https://example.org/team/tools.git';
    const clone = (directory?: string, revision?: string) =>
      withVolume({ name: 'code1', kind: 'gitRepo', repository, directory, revision }).pod.spec?.initContainers?.map(
        ({ args }) => args,
      );
    expect(clone()).toEqual([['clone', '--', repository, 'tools']]);
    expect(clone('.', 'v1.2')).toEqual([
      ['clone', '--', repository, '.'],
      ['-C', '.', 'checkout', '--detach', 'v1.2'],
    ]);
    expect(() => clone('../etc')).toThrow(MountProblem);
    expect(() => clone('/etc')).toThrow(MountProblem);
    expect(() => clone('src', '--upload-pack=x')).toThrow(MountProblem);
    const mine = containerPlan('cloudjar-git-0');
    const volumes = [
      { name: 'code1', kind: 'gitRepo' as const, repository, directory: undefined, revision: undefined },
    ];
    const both = made(groupPlan({ init: [mine], volumes })).pod.spec?.initContainers?.map(({ name }) => name);
    expect(both).toEqual(['cloudjar-git-0-0', 'cloudjar-git-0']);
  });

  it('carry logins of registries as Docker keeps them', () => {
    const registries = [
      { server: 'docker.io', username: 'u', password: 'p' },
      { server: 'registry.example.org', username: 'x', password: 'y' },
      { server: 'other.example.org', username: undefined, password: undefined },
    ];
    const { pod, secrets } = made(groupPlan({ registries }));
    expect(pod.spec?.imagePullSecrets).toEqual([{ name: secrets[0]?.metadata?.name }]);
    expect(JSON.parse(decoded(secrets[0]?.data?.['.dockerconfigjson']))).toEqual({
      auths: {
        'https://index.docker.io/v1/': { username: 'u', password: 'p', auth: 'dTpw' },
        'registry.example.org': { username: 'x', password: 'y', auth: 'eDp5' },
      },
    });
  });

  it('resolve names as they are told to', () => {
    const dns = { nameServers: ['10.0.0.1'], searchDomains: ['corp.example'], options: ['ndots:2', 'rotate'] };
    const { pod } = made(groupPlan({ network: { address: 'None', ports: [], dns } }));
    expect(pod.spec).toMatchObject({
      dnsPolicy: 'None',
      dnsConfig: {
        nameservers: ['10.0.0.1'],
        searches: ['corp.example'],
        options: [{ name: 'ndots', value: '2' }, { name: 'rotate' }],
      },
    });
  });

  it('have room for the counts of sixty containers with all the events they can have', () => {
    const message = 'x'.repeat(200);
    const events = Array.from({ length: 50 }, (_, n) => ({
      name: 'Failed' as const,
      type: 'Warning' as const,
      message: `${message} ${n}`,
      count: 1,
      firstAt: 0,
      lastAt: 0,
    }));
    const names = Array.from({ length: 60 }, (_, n) => `container-${n}`);
    const statuses = names.map((name) => ({
      name,
      run: 2,
      current: { kind: 'Waiting' as const, reason: 'x' },
      restartCount: 1,
      failures: 0,
      events,
    }));
    const carried = carriedFrom({ generation: 1, sandbox: 'ready', init: [], containers: statuses, events });
    const plan = groupPlan({ containers: names.map((name) => containerPlan(name)) });
    expect(problems(manifestsOf({ owner: 'jar-one', plan, generation: 2 }, 10, carried))).toEqual([]);
  });
});
