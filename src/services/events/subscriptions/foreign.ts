import {
  type ArmFacts,
  canonicalNamespace,
  gatewayErrors,
  groupPath,
  parseScope,
  resourceGroups,
  type Subscription,
} from '../../../kernel/arm/index.ts';
import type { Reader } from '../../../kernel/store/index.ts';
import { eventErrors } from '../errors.ts';
import type { EventsJar } from '../jar.ts';
import { type TopicType, topicTypeOf } from '../topics/topic-types.ts';
import type { Parent } from './scope.ts';

/** Scopes of types that send events in the real cloud but that the jar does not implement: storage accounts, key vaults. */

const HINT =
  ' The jar does not implement resources of this type: PUT the resource to create a record of it, or set services.events.foreignScopes to true (PATCH /_jar/events/settings) to accept such scopes without a record.';

function foreignTypeOf(scope: string, { config }: Pick<EventsJar, 'config'>): TopicType | undefined {
  const { resourceGroup, provider } = parseScope(scope);
  if (resourceGroup === undefined || provider?.types.length !== 1 || provider.names.length !== 1) return undefined;
  const type = topicTypeOf(`${canonicalNamespace(provider.namespace, config.namespace)}/${provider.types[0]}`);
  return type?.isForeign ? type : undefined;
}

/** A scope without a stored resource, if the settings accept that. Throws if there is no such parent. */
export async function foreignParent(reader: Reader, jar: EventsJar, scope: string, arm: ArmFacts): Promise<Parent> {
  const type = foreignTypeOf(scope, jar);
  if (!type) throw eventErrors.ParentResourceNotFound({ id: scope, hint: '' });
  const { foreignScopes } = await jar.settings.within(reader);
  if (!foreignScopes) throw eventErrors.ParentResourceNotFound({ id: scope, hint: HINT });
  const { subscriptionId } = arm.subscription as Subscription;
  const { resourceGroup = '' } = parseScope(scope);
  const group = (await reader.get(resourceGroups, groupPath(subscriptionId, resourceGroup).toLowerCase(), 'share'))
    ?.value;
  if (!group) throw gatewayErrors.ResourceGroupNotFound({ group: resourceGroup });
  return {
    id: canonicalId(scope, jar),
    resourceGroup: group.name,
    topicType: type.name,
    location: type.isGlobal ? 'global' : group.location,
    isBeingDeleted: group.provisioningState === 'Deleting',
    isForeign: true,
  };
}

const canonicalId = (scope: string, { config }: Pick<EventsJar, 'config'>): string =>
  scope.replace(
    /(\/providers\/)([^/]+)/i,
    (_, before: string, namespace: string) => before + canonicalNamespace(namespace, config.namespace),
  );
