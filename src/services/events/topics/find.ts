import {
  type ArmFacts,
  gatewayErrors,
  groupPath,
  type Resource,
  type ResourceGroup,
  resources,
  type Subscription,
} from '../../../kernel/arm/index.ts';
import type { ApiError } from '../../../kernel/http/index.ts';
import type { ReadLock, Tx } from '../../../kernel/store/index.ts';
import type { Kind } from './kinds.ts';

/** Key of the topic or domain that a path names. */
export function keyIn(arm: ArmFacts, { type }: Pick<Kind, 'type'>, name: string): string {
  const { subscriptionId } = arm.subscription as Subscription;
  const { name: group } = arm.group as ResourceGroup;
  return `${groupPath(subscriptionId, group)}/providers/${type}/${name}`.toLowerCase();
}

/** Reads the topic or domain in a transaction about one of its parts. */
export async function findIn(
  tx: Tx,
  arm: ArmFacts,
  kind: Pick<Kind, 'type'>,
  name: string,
  lock: ReadLock,
): Promise<{ readonly key: string; readonly resource: Resource }> {
  const key = keyIn(arm, kind, name);
  const stored = await tx.get(resources, key, lock);
  if (!stored) throw notFound(arm, kind.type, name);
  return { key, resource: stored.value };
}

export const notFound = (arm: ArmFacts, type: string, name: string): ApiError =>
  gatewayErrors.ResourceNotFound({ type, name, group: (arm.group as ResourceGroup).name });
