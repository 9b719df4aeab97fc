import { MANAGEMENT } from '../../../src/kernel/arm/index.ts';
import type { Service } from '../../../src/kernel/service/index.ts';
import { rings } from './collections.ts';
import { BELLS_QUOTA } from './limits.ts';
import { BELL, NAMESPACE } from './type.ts';
import { RING } from './work.ts';

/** Bells that ring once, at a set time, and report the ring to a webhook. */
export const BELLS: Service = {
  name: 'bells',
  title: 'Bells',
  family: MANAGEMENT,
  mounts: [],
  claims: [`/providers/${NAMESPACE}`],
  collections: [rings],
  limits: [BELLS_QUOTA],
  resourceTypes: [BELL],
  work: [RING],
  policies: ['bells.webhook'],
  open: async (jar) => (await import('./open.ts')).openBells(jar),
};
