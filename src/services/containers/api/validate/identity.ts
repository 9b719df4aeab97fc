import { shown } from '../../../../kernel/arm/body/index.ts';
import { resourceKey } from '../../../../kernel/arm/index.ts';
import type { ApiError } from '../../../../kernel/http/index.ts';
import { containerErrors } from '../../errors.ts';
import type { GroupBody } from '../schema.ts';

const IDENTITY_ID =
  /^\/subscriptions\/[^/]+\/resourceGroups\/[^/]+\/providers\/[^/]+\.ManagedIdentity\/userAssignedIdentities\/[^/]+$/i;

/** The ids in the map of user-assigned identities; a null entry removes its identity. */
export const assignedIdentities = ({ identity }: Pick<GroupBody, 'identity'>): string[] =>
  Object.entries(identity?.userAssignedIdentities ?? {}).flatMap(([id, entry]) => (entry === null ? [] : [id]));

export function wrongIdentities(body: GroupBody, aliases: readonly string[]): ApiError[] {
  const type = body.identity?.type;
  const given = assignedIdentities(body);
  const target = 'identity.userAssignedIdentities';
  const problem = (rule: string): ApiError => containerErrors.InvalidIdentityValues({ rule }, { target });
  const problems: ApiError[] = [];
  if (type?.includes('UserAssigned')) {
    if (given.length === 0) problems.push(problem(`the type '${type}' needs at least one user-assigned identity`));
  } else if (type !== undefined && given.length > 0) {
    problems.push(problem(`the type '${shown(type)}' has no user-assigned identities`));
  }
  for (const id of given)
    if (!IDENTITY_ID.test(id)) problems.push(problem(`'${shown(id)}' is not the id of a user-assigned identity`));

  const known = new Set(type?.includes('UserAssigned') ? given.map((id) => resourceKey(id, aliases)) : []);
  const strangers = (body.properties?.imageRegistryCredentials ?? []).flatMap(({ identity }, index) => {
    if (!identity || known.has(resourceKey(identity, aliases))) return [];
    const target = `properties.imageRegistryCredentials[${index}].identity`;
    return [containerErrors.InvalidImageRegistryIdentity({ value: shown(identity) }, { target })];
  });
  return [...problems, ...strangers];
}
