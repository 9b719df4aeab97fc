import {
  gatewayErrors,
  groupPath,
  listPage,
  type Resource,
  type ResourceGroup,
  resources,
  type Subscription,
} from '../../../kernel/arm/index.ts';
import { ok } from '../../../kernel/http/index.ts';
import { readCached } from '../../../kernel/store/index.ts';
import { CONTAINER_GROUP_PROFILE_TYPE as TYPE } from '../api/versions.ts';
import { containerErrors } from '../errors.ts';
import { armCode, type ContainersCall } from '../jar.ts';
import { profileRevisions, revisionKey, revisionsOf } from './collections.ts';
import { profileView } from './definition.ts';

const PARAMS = ['resourceGroupName', 'containerGroupProfileName'] as const;

type ProfileCall = ContainersCall<Readonly<Record<(typeof PARAMS)[number], string>>>;

export const listRevisions = armCode(PARAMS, {
  async handle(call, arm) {
    const profile = await profileOf(call, arm);
    const prefix = revisionsOf(profile.id.toLowerCase());
    return listPage(call, profileRevisions, { prefix }, ({ resource }) => profileView(resource, arm.prefix));
  },
});

export const getRevision = armCode([...PARAMS, 'revisionNumber'], {
  async handle(call, arm) {
    const profile = await profileOf(call, arm);
    const { revisionNumber } = call.params;
    const number = /^[1-9]\d{0,8}$/.test(revisionNumber) ? Number(revisionNumber) : 0;
    const found = await call.jar.store.get(profileRevisions, revisionKey(profile.id.toLowerCase(), number));
    if (!found) {
      throw containerErrors.ContainerGroupProfileRevisionNotFound({
        name: profile.name,
        revision: revisionNumber.slice(0, 100),
      });
    }
    return ok(profileView(found.value.resource, arm.prefix));
  },
});

async function profileOf(
  { params, jar }: ProfileCall,
  arm: { readonly subscription: Subscription | undefined; readonly group: ResourceGroup | undefined },
): Promise<Resource> {
  const name = params.containerGroupProfileName;
  const group = arm.group?.name ?? params.resourceGroupName;
  const id = `${groupPath(arm.subscription?.subscriptionId ?? '', group)}/providers/${TYPE}/${name}`;
  const stored = await readCached(jar.store, resources, id.toLowerCase());
  if (!stored) throw gatewayErrors.ResourceNotFound({ type: TYPE, name, group });
  return stored.value;
}
