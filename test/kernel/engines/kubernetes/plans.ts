import fc from 'fast-check';
import type {
  ContainerPlan,
  GroupPlan,
  ProbePlan,
  ResourcePlan,
  SecurityPlan,
  VolumePlan,
} from '../../../../src/kernel/engines/plan.ts';

/** Plans of every shape that the API accepts. */

const name = fc.stringMatching(/^[a-z0-9]([a-z0-9-]{0,20}[a-z0-9])?$/);
const volumeName = fc.stringMatching(/^[a-z0-9]([a-z0-9-]{3,20}[a-z0-9])$/);
const port = fc.record({
  port: fc.integer({ min: 1, max: 65535 }),
  protocol: fc.constantFrom('TCP' as const, 'UDP' as const),
});
const ports = fc.uniqueArray(port, { maxLength: 5, selector: (it) => it.port });
const text = fc.string({ unit: 'binary', maxLength: 40 }).filter((it) => !it.includes('\0'));
const optional = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(arbitrary, { nil: undefined });

const timings = {
  initialDelaySeconds: fc.integer({ min: 0, max: 1000 }),
  periodSeconds: fc.integer({ min: 1, max: 1000 }),
  failureThreshold: fc.integer({ min: 1, max: 10 }),
  successThreshold: fc.integer({ min: 1, max: 10 }),
  timeoutSeconds: fc.integer({ min: 1, max: 100 }),
};

const check: fc.Arbitrary<ProbePlan['check']> = fc.oneof(
  fc.record({ kind: fc.constant('exec' as const), command: fc.array(text, { minLength: 1, maxLength: 3 }) }),
  fc.record({
    kind: fc.constant('httpGet' as const),
    path: fc.webPath(),
    port: fc.integer({ min: 1, max: 65535 }),
    scheme: fc.constantFrom('http' as const, 'https' as const),
    headers: fc.array(fc.record({ name: fc.stringMatching(/^[A-Za-z-]{1,20}$/), value: text }), { maxLength: 2 }),
  }),
);

const probe: fc.Arbitrary<ProbePlan> = fc.record({ check, ...timings });

const resources: fc.Arbitrary<ResourcePlan> = fc
  .record({
    cpu: fc.double({ min: 0.001, max: 32, noNaN: true }),
    memoryBytes: fc.double({ min: 1e6, max: 3e11, noNaN: true }),
    more: fc.double({ min: 1, max: 3, noNaN: true }),
    gpu: optional(fc.record({ count: fc.constantFrom(1, 2, 4), sku: fc.constantFrom('K80', 'P100', 'V100') })),
  })
  .map(({ cpu, memoryBytes, more, gpu }) => ({
    requests: { cpu, memoryBytes },
    limits: { cpu: cpu * more, memoryBytes: memoryBytes * more },
    gpu,
  }));

const capabilities = fc.array(fc.constantFrom('NET_ADMIN', 'CAP_SYS_TIME', 'ALL'), { maxLength: 2 });

const security: fc.Arbitrary<SecurityPlan> = fc.record({
  privileged: fc.boolean(),
  allowPrivilegeEscalation: optional(fc.boolean()),
  addCapabilities: capabilities,
  dropCapabilities: capabilities,
  runAsUser: optional(fc.integer({ min: 0, max: 65535 })),
  runAsGroup: optional(fc.integer({ min: 0, max: 65535 })),
  seccompProfile: fc.constant(undefined),
});

const container = (volumes: readonly VolumePlan[], isInit: boolean): fc.Arbitrary<ContainerPlan> =>
  fc.record({
    name,
    image: fc.constantFrom('busybox', 'docker.io/library/nginx:1.27', 'example.org:5000/a/b@sha256:00'),
    command: optional(fc.array(text, { maxLength: 4 })),
    env: fc.array(fc.record({ name: fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_]{0,20}$/), value: text }), {
      maxLength: 6,
    }),
    ports: isInit ? fc.constant([]) : ports,
    resources: isInit ? fc.constant(undefined) : resources,
    mounts: fc
      .subarray([...volumes])
      .map((some) =>
        some.map((it) => ({ volume: it.name, path: `/mnt/${it.name}`, readOnly: it.name.length % 2 === 0 })),
      ),
    security: optional(security),
    liveness: isInit ? fc.constant(undefined) : optional(probe),
    readiness: isInit ? fc.constant(undefined) : optional(probe),
  });

const base64 = fc.uint8Array({ maxLength: 64 }).map((bytes) => Buffer.from(bytes).toString('base64'));

const volume: fc.Arbitrary<VolumePlan> = fc.oneof(
  fc.record({ name: volumeName, kind: fc.constant('emptyDir' as const) }),
  fc.record({
    name: volumeName,
    kind: fc.constant('secret' as const),
    files: fc.dictionary(fc.stringMatching(/^[A-Za-z0-9 ._-]{1,30}$/), base64, { maxKeys: 4 }),
  }),
  fc.record({
    name: volumeName,
    kind: fc.constant('gitRepo' as const),
    repository: fc.constantFrom('https://example.org/a.git', 'git@example.org:a/b', 'https://example.org/$(X)/'),
    directory: optional(fc.constantFrom('.', 'src', '-x')),
    revision: optional(fc.constantFrom('main', '0123abcd')),
  }),
  fc.record({
    name: volumeName,
    kind: fc.constant('azureFile' as const),
    shareName: name,
    storageAccountName: name,
    storageAccountKey: base64,
    readOnly: fc.boolean(),
  }),
);

const network = fc.record({
  address: fc.constantFrom('Public' as const, 'Private' as const, 'None' as const),
  ports,
  dns: optional(
    fc.record({
      nameServers: fc.array(fc.ipV4(), { minLength: 1, maxLength: 3 }),
      searchDomains: fc.array(fc.domain(), { maxLength: 2 }),
      options: fc.array(fc.constantFrom('ndots:2', 'rotate', 'timeout:1'), { maxLength: 2 }),
    }),
  ),
});

export const anyPlan: fc.Arbitrary<GroupPlan> = fc
  .uniqueArray(volume, { maxLength: 4, selector: (it) => it.name })
  .chain((volumes) =>
    fc.record({
      uid: fc.uuid(),
      resourceId: fc.constant('/subscriptions/s/resourceGroups/g/providers/Vendor.ContainerInstance/containerGroups/n'),
      name,
      osType: fc.constantFrom('Linux' as const, 'Windows' as const),
      restartPolicy: fc.constantFrom('Always' as const, 'OnFailure' as const, 'Never' as const),
      init: fc.array(container(volumes, true), { maxLength: 3 }),
      containers: fc.array(container(volumes, false), { minLength: 1, maxLength: 4 }),
      volumes: fc.constant(volumes),
      network,
      registries: fc.array(fc.record({ server: fc.domain(), username: optional(text), password: optional(text) }), {
        maxLength: 2,
      }),
    }),
  )
  .filter(({ init, containers }) => {
    const names = [...init, ...containers].map((it) => it.name);
    return new Set(names).size === names.length;
  });
