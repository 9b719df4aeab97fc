import { isObject } from '../../../../kernel/values/index.ts';
import { resourceId, union } from './context.ts';
import { RESOURCE_TYPES } from './resource-types.ts';
import { says } from './wording.ts';

interface Owned {
  readonly type?: string;
  readonly userAssignedIdentities?: Readonly<Record<string, unknown>>;
}

const ownedBy = (identity: unknown): Owned => (isObject(identity) ? identity : {});

/** Compares ids whatever provider prefix they were written with. */
const tail = (id: string): string => id.toLowerCase().replace(/\/providers\/[^./]+\./, '/providers/');

const USER_ASSIGNED = resourceId(RESOURCE_TYPES.Identity, {
  required: true,
  check: (id, at) => {
    const owned = Object.keys(ownedBy(at.context.identity).userAssignedIdentities ?? {});
    if (owned.some((each) => tail(each) === tail(id))) return;
    at.wrong(says('The parent resource does not have that user-assigned identity.'));
  },
});

/** Identity used for delivery: one of the parent resource's identities. */
export const IDENTITY = union(
  'type',
  { SystemAssigned: {}, UserAssigned: { userAssignedIdentity: USER_ASSIGNED } },
  { required: true, missingWord: says("'type' is required: SystemAssigned or UserAssigned.") },
  {
    check: ({ type }, at) => {
      if (type !== 'SystemAssigned' || ownedBy(at.context.identity).type?.includes('SystemAssigned')) return;
      at.member('type').wrong(says('The parent resource has no system-assigned identity.'));
    },
  },
);
