import type { V1ObjectMeta } from '@kubernetes/client-node';
import type { GroupPlan } from '../plan.ts';

/**
 * `EngineOptions.owner`, on every object: an owner finds its objects by it and touches no others. The label is called `jar` because a jar
 * once had only one owner of containers.
 */
export const OWNER_LABEL = 'cloudjar.dev/jar';
/** Uid of the group. */
export const GROUP_LABEL = 'cloudjar.dev/group';
export const MANAGED_BY_LABEL = 'app.kubernetes.io/managed-by';

export const GENERATION_ANNOTATION = 'cloudjar.dev/generation';
export const RESOURCE_ID_ANNOTATION = 'cloudjar.dev/resource-id';
/** Counts that a new Pod continues from, since each deployment of a group creates a Pod. */
export const CARRIED_ANNOTATION = 'cloudjar.dev/carried';

/** Nodes with graphics cards carry this label, with `K80`, `P100` or `V100` as its value. */
export const GPU_SKU_NODE_LABEL = 'cloudjar.dev/gpu-sku';
export const GPU_RESOURCE = 'nvidia.com/gpu';

/** Fills `gitRepo` volumes, which Kubernetes no longer does itself; the entry point of the image is git. */
export const GIT_IMAGE = 'docker.io/alpine/git:2.47.2';

const PREFIX = 'cj-';

export const podName = (uid: string): string => PREFIX + uid;

/** Returns the uid of the group of a Pod; undefined if the Pod does not belong to a jar. */
export const uidOfPodName = (name: string): string | undefined =>
  name.startsWith(PREFIX) ? name.slice(PREFIX.length) : undefined;

/**
 * Name of a part of one deployment. It differs per deployment, so that a deployment never waits until parts of the previous one are
 * deleted.
 */
export const partName = (uid: string, generation: number, part: string): string =>
  `${PREFIX}${uid}-${generation}-${part}`;

export const ownerSelector = (owner: string): string => `${OWNER_LABEL}=${owner}`;

export const groupSelector = (owner: string, uid: string): string => `${ownerSelector(owner)},${GROUP_LABEL}=${uid}`;

/** The facts that every object of a deployment carries in its metadata. */
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

/** Returns 0 if the annotation is missing or invalid; such an object counts as older than any deployment. */
export function generationOf({ metadata }: { metadata?: V1ObjectMeta }): number {
  return Number.parseInt(metadata?.annotations?.[GENERATION_ANNOTATION] ?? '', 10) || 0;
}
