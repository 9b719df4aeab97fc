import type { ContainerTarget, GroupPlan } from '../../../../../kernel/engines/index.ts';
import type { ContextContainer } from '../../collections.ts';
import { ASK } from './ask-source.ts';
import { DISPLAY } from './display-source.ts';
import { DRIVER } from './driver-source.ts';

const NAME = 'driver';
/** What a context may use of the machine. */
const SHARE = { cpu: 1, memoryBytes: 2 * 1024 ** 3 } as const;

const FILES = Object.fromEntries(
  Object.entries({ 'driver.py': DRIVER, 'cloudjar_display.py': DISPLAY, 'cloudjar_ask.py': ASK }).map(
    ([name, text]) => [name, Buffer.from(text).toString('base64')],
  ),
);

/** The container in which the interpreter of a context lives. */
export const planOf = ({ uid, image, clusterId, contextId, environment }: ContextContainer): GroupPlan => ({
  uid,
  resourceId: `/clusters/${clusterId}/contexts/${contextId}`,
  name: `context-${contextId}`,
  osType: 'Linux',
  restartPolicy: 'Never',
  init: [],
  containers: [
    {
      name: NAME,
      image,
      command: ['python3', '/cloudjar/driver.py'],
      env: Object.entries({ ...environment, DB_CLUSTER_ID: clusterId }).map(([name, value]) => ({ name, value })),
      ports: [],
      resources: { requests: SHARE, limits: SHARE, gpu: undefined },
      mounts: [{ volume: 'program', path: '/cloudjar', readOnly: true }],
      security: undefined,
      liveness: undefined,
      readiness: undefined,
    },
  ],
  volumes: [{ name: 'program', kind: 'secret', files: FILES }],
  network: { address: 'None', ports: [], dns: undefined },
  registries: [],
});

export const targetOf = ({ uid, status }: ContextContainer): ContainerTarget => ({
  uid,
  container: NAME,
  engineId: status.containers[0]?.engineId ?? '',
});
