import type { ContainerTarget, GroupPlan } from '../../../../../kernel/engines/index.ts';
import type { ContextContainer } from '../../collections.ts';
import { programPlan } from '../../program-plan.ts';
import { ASK } from './ask-source.ts';
import { DISPLAY } from './display-source.ts';
import { DRIVER } from './driver-source.ts';

const NAME = 'driver';

const FILES = { 'driver.py': DRIVER, 'cloudjar_display.py': DISPLAY, 'cloudjar_ask.py': ASK };

/** The plan of a context's container. */
export const planOf = ({ uid, image, clusterId, contextId, environment }: ContextContainer): GroupPlan =>
  programPlan({
    uid,
    resourceId: `/clusters/${clusterId}/contexts/${contextId}`,
    name: `context-${contextId}`,
    container: NAME,
    image,
    command: ['python3', '/cloudjar/driver.py'],
    files: FILES,
    environment: { ...environment, DB_CLUSTER_ID: clusterId },
  });

export const targetOf = ({ uid, status }: ContextContainer): ContainerTarget => ({
  uid,
  container: NAME,
  engineId: status.containers[0]?.engineId ?? '',
});
