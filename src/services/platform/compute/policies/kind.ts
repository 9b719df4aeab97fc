import { uuid } from '../../../../kernel/ids/index.ts';
import type { JsonMembers } from '../../../../kernel/values/index.ts';
import type { Draft, ObjectKind } from '../../engine/kind.ts';
import { errors } from '../../errors.ts';
import { readLibraries } from '../libraries/read.ts';
import { parseRules, readDefinition } from './definition.ts';
import { policyFamily } from './families.ts';

const MOST_CHARACTERS = 256 * 1024;

/** Cluster policies: rules by administrators about clusters, with permissions to use them. */
export const CLUSTER_POLICIES: ObjectKind = {
  name: 'cluster-policies',
  title: 'Cluster policy',
  scope: 'workspace',
  idField: 'policy_id',
  newId: () => uuid().replaceAll('-', '').slice(0, 16).toUpperCase(),
  nameField: 'name',
  unique: 'scope',
  permissions: { type: 'cluster-policies', read: 'CAN_USE', change: 'CAN_USE', remove: 'CAN_USE' },
  fields: {
    name: { type: 'string', required: true, least: 1, most: 100 },
    definition: { type: 'string', most: MOST_CHARACTERS },
    description: { type: 'string', most: 1000 },
    max_clusters_per_user: { type: 'integer', least: 1 },
    libraries: { type: 'array', most: 500 },
    policy_family_id: { type: 'string' },
    policy_family_definition_overrides: { type: 'string', most: MOST_CHARACTERS },
  },
  hooks: { check: async (_tx, _call, draft) => completed(draft) },
  view: ({ id, fields, createdBy, createdAt }, { nameOf }) => ({
    policy_id: id,
    ...fields,
    creator_user_name: nameOf(createdBy),
    created_at_timestamp: createdAt,
    is_default: false,
  }),
};

/** The definition of a policy that is based on a family: the family's definition with the overrides. */
function completed({ fields }: Draft): JsonMembers {
  const { definition, policy_family_id: familyId, policy_family_definition_overrides: overrides, libraries } = fields;
  if (libraries !== undefined) readLibraries(libraries);
  if (familyId === undefined) {
    if (overrides !== undefined)
      throw errors.INVALID_PARAMETER_VALUE({
        reason: "The field 'policy_family_definition_overrides' needs a 'policy_family_id'.",
      });
    if (definition === undefined) throw errors.INVALID_PARAMETER_VALUE__MissingField({ field: 'definition' });
    readDefinition(String(definition));
    return {};
  }
  const family = policyFamily(String(familyId));
  if (!family)
    throw errors.RESOURCE_DOES_NOT_EXIST({ reason: `Policy family ${String(familyId).slice(0, 200)} does not exist.` });
  const own = JSON.stringify({ ...parseRules(family.definition), ...parseRules(String(overrides ?? '{}')) });
  if (definition !== undefined && definition !== own)
    throw errors.INVALID_PARAMETER_VALUE({
      reason: "Only one of the fields 'definition' and 'policy_family_id' can be given.",
    });
  readDefinition(own);
  return { definition: own };
}
