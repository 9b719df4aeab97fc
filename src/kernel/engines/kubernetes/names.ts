import type { V1ObjectMeta } from '@kubernetes/client-node';
import type { GroupPlan } from '../plan.ts';

/**
 * On everything that is made: `EngineOptions.owner`, so that an owner finds its own again and touches nothing else. Its name is of
 * the time when a jar had one owner of containers.
 */
export const OWNER_LABEL = 'cloudjar.dev/jar';
/** The group's uid. */
export const GROUP_LABEL = 'cloudjar.dev/group';
export const MANAGED_BY_LABEL = 'app.kubernetes.io/managed-by';

export const GENERATION_ANNOTATION = 'cloudjar.dev/generation';
export const RESOURCE_ID_ANNOTATION = 'cloudjar.dev/resource-id';
/** Counts that a Pod goes on from, since each deployment of a group is a Pod of its own. */
export const CARRIED_ANNOTATION = 'cloudjar.dev/carried';

/** Nodes with graphics cards carry this label, with `K80`, `P100` or `V100` as its value. */
export const GPU_SKU_NODE_LABEL = 'cloudjar.dev/gpu-sku';
export const GPU_RESOURCE = 'nvidia.com/gpu';

/** Fills `gitRepo` volumes, which Kubernetes itself no longer does; its entry point is git. */
export const GIT_IMAGE = 'docker.io/alpine/git:2.47.2';

const PREFIX = 'cj-';

export const podName = (uid: string): string => PREFIX + uid;

/** The group of a Pod of this name; undefined for a Pod of somebody else. */
export const uidOfPodName = (name: string): string | undefined =>
  name.startsWith(PREFIX) ? name.slice(PREFIX.length) : undefined;

/** Names what belongs to one deployment, so that the next never waits for the end of it. */
export const partName = (uid: string, generation: number, part: string): string =>
  `${PREFIX}${uid}-${generation}-${part}`;

export const ownerSelector = (owner: string): string => `${OWNER_LABEL}=${owner}`;

export const groupSelector = (owner: string, uid: string): string => `${ownerSelector(owner)},${GROUP_LABEL}=${uid}`;

/** What stands on an object that is made for a deployment. */
export interface Deployment {
  readonly owner: string;
  readonly plan: GroupPlan;
  readonly generation: number;
}

export function metadataOf({ owner, plan, generation }: Deployment, name: string): V1ObjectMeta {
  return {
    name,
    labels: { [OWNER_LABEL]: owner, [GROUP_LABEL]: plan.uid, [MANAGED_BY_LABEL]: 'cloudjar' },
    annotations: { [GENERATION_ANNOTATION]: String(generation), [RESOURCE_ID_ANNOTATION]: plan.resourceId },
  };
}

/** 0 for an object without a readable one, which makes it older than any. */
export function generationOf({ metadata }: { metadata?: V1ObjectMeta }): number {
  return Number.parseInt(metadata?.annotations?.[GENERATION_ANNOTATION] ?? '', 10) || 0;
}
