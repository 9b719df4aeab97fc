import type { ContainerPlan, GroupPlan } from '../../../src/kernel/engines/plan.ts';
import { uuid } from '../../../src/kernel/ids/index.ts';
import { BUSYBOX } from '../../support/podman.ts';

const MEGABYTE = 1024 * 1024;

/** A container of the tests' image; sleeps by default. */
export function containerPlan(changes: Partial<ContainerPlan> = {}): ContainerPlan {
  const some = { cpu: 0.5, memoryBytes: 64 * MEGABYTE };
  return {
    name: 'main',
    image: BUSYBOX,
    command: ['sleep', '1000'],
    env: [],
    ports: [],
    resources: { requests: some, limits: some, gpu: undefined },
    mounts: [],
    security: undefined,
    liveness: undefined,
    readiness: undefined,
    ...changes,
  };
}

/** A group of such containers, without an address. */
export function groupPlan(changes: Partial<GroupPlan> = {}): GroupPlan {
  const uid = changes.uid ?? uuid();
  return {
    uid,
    resourceId: `/subscriptions/s/resourceGroups/g/providers/Vendor.ContainerInstance/containerGroups/${uid}`,
    name: 'my-group',
    osType: 'Linux',
    restartPolicy: 'Never',
    init: [],
    containers: [containerPlan()],
    volumes: [],
    network: { address: 'None', ports: [], dns: undefined },
    registries: [],
    ...changes,
  };
}

/** Runs a script with `sh -c`. */
export const shell = (script: string): readonly string[] => ['sh', '-c', script];
