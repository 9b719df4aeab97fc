import { Type } from 'typebox';
import { ok } from '../../../kernel/http/index.ts';
import { findDataset } from '../access/find.ts';
import { parseEnumValue } from '../access/parse-enum-value.ts';
import {
  DATASET_RIGHT_NAMES,
  type DatasetRight,
  lacking,
  type Permission,
  permissionsOf,
  rightWith,
} from '../access/permissions.ts';
import { placeIn } from '../access/place.ts';
import type { Principal } from '../access/principal.ts';
import { changeDataset } from '../datasets/change.ts';
import { errors } from '../errors.ts';
import { type DatasetsCall, routeCode } from '../jar.ts';
import type { Dataset, DatasetUser } from '../model/types.ts';
import { checkUserCount, namedIn, PRINCIPAL_FIELDS, type PrincipalBody, principalNamed } from './body.ts';
import { type Held, rightsHeldBy } from './effective.ts';

const Body = Type.Object(
  { datasetUserAccessRight: Type.String({ description: DATASET_RIGHT_NAMES.join(', ') }), ...PRINCIPAL_FIELDS },
  { additionalProperties: false },
);

/** Adds permissions to those that the user already has; a lower right than theirs changes nothing. */
export const addDatasetUser = routeCode(['dataset'], {
  body: Body,
  async handle(call) {
    const right = rightIn(call.body.datasetUserAccessRight);
    if (right === 'None') throw errors.UnsupportedAccessRightError({ right, reason: 'it grants no access; use PUT' });
    if (permissionsOf(right).includes('Write')) throw writeIsOfWorkspace(right);
    await changeUser(call, call.params.dataset, {
      body: call.body,
      right,
      change: (held) => new Set([...held.shared, ...permissionsOf(right)]),
    });
    return ok(undefined);
  },
});

/** Replaces the user's permissions. `None` removes the user. */
export const updateDatasetUser = routeCode(['dataset'], {
  body: Body,
  async handle(call) {
    const right = rightIn(call.body.datasetUserAccessRight);
    await changeUser(call, call.params.dataset, {
      body: call.body,
      right,
      change: (held, principal) => replaced(held, right, principal),
    });
    return ok(undefined);
  },
});

const rightIn = (written: string): DatasetRight =>
  parseEnumValue(written, DATASET_RIGHT_NAMES, 'datasetUserAccessRight');

const writeIsOfWorkspace = (right: DatasetRight) =>
  errors.UnsupportedAccessRightError({
    right,
    reason: 'write permission is granted only by a right in the workspace',
  });

/** The permissions in the dataset's own list when the user's right is replaced. */
function replaced(held: Held, right: DatasetRight, { identifier }: Principal): ReadonlySet<Permission> {
  if (held.all.size === 0)
    throw errors.PowerBIEntityNotFound({ what: 'user of the dataset', id: identifier.slice(0, 100) });
  const wanted: ReadonlySet<Permission> = new Set(permissionsOf(right));
  const kept = lacking(wanted, [...held.inherited]);
  if (kept.length > 0) throw errors.InheritedPermissions({ identifier, permissions: kept.join(', ') });
  if (wanted.has('Write') !== held.all.has('Write')) throw writeIsOfWorkspace(right);
  // Permissions inherited from the workspace end with the workspace right, so they are not copied to the dataset.
  return new Set([...wanted].filter((each) => each !== 'Write' || held.shared.has('Write')));
}

interface Wish {
  readonly body: PrincipalBody;
  readonly right: DatasetRight;
  /** Returns the new permissions in the dataset's own list. */
  change(held: Held, principal: Principal): ReadonlySet<Permission>;
}

async function changeUser(call: DatasetsCall, id: string, { body, right, change }: Wish): Promise<void> {
  const named = namedIn(body);
  if (named.principalType === 'App')
    throw errors.InvalidRequest({ reason: 'A dataset cannot be shared with a service principal (App).' });
  const { workspace, permissions } = placeIn(call);
  const { tenantId } = await findDataset(call, id);
  const principal = await principalNamed(call.jar, tenantId, named);
  await changeDataset(call, id, 'users', (dataset) => {
    const held = rightsHeldBy(dataset, workspace, principal);
    const next = change(held, principal);
    const given = [...next].filter((each) => !held.all.has(each));
    const beyond = lacking(permissions, given);
    if (beyond.length > 0)
      throw errors.PowerBINotAuthorizedException({
        reason: `A caller cannot grant permissions that they lack: ${beyond.join(', ')}.`,
      });
    const changed = withUser(dataset, principal, rightWith(next));
    checkUserCount(changed.users ?? []);
    return { dataset: changed, data: { user: principal.identifier, right } };
  });
}

function withUser(dataset: Dataset, principal: Principal, right: DatasetRight): Dataset {
  const { users = [] } = dataset;
  const { principalId } = principal;
  const entry: DatasetUser = { ...principal, right };
  if (right === 'None') return { ...dataset, users: users.filter((each) => each.principalId !== principalId) };
  if (!users.some((each) => each.principalId === principalId)) return { ...dataset, users: [...users, entry] };
  return { ...dataset, users: users.map((each) => (each.principalId === principalId ? entry : each)) };
}
