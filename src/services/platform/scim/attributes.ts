import type { PrincipalKind } from '../accounts/collections.ts';

/** The attributes of each resource kind: the names that filters, projections and PATCH accept. */

export interface Attribute {
  readonly name: string;
  /** `values` is a list of objects with a `value`; `complex` is one object. */
  readonly type: 'text' | 'boolean' | 'complex' | 'values';
  readonly subs?: readonly string[];
  /** `server`: set only by the platform. `members`: memberships are separate documents. */
  readonly written?: 'server' | 'members';
}

export interface ResourceKind {
  readonly kind: PrincipalKind;
  /** Name of its schema and of its type, such as `User`. */
  readonly title: string;
  /** Path segment, such as `Users`. */
  readonly path: string;
  readonly schemas: readonly string[];
  readonly attributes: ReadonlyMap<string, Attribute>;
  /** The required attribute that identifies a resource uniquely within its kind. */
  readonly login: 'userName' | 'displayName' | 'applicationId';
}

const VALUE = ['value', 'display', 'type', 'primary', '$ref'] as const;

const text = (name: string): Attribute => ({ name, type: 'text' });
const values = (name: string, written?: Attribute['written']): Attribute => ({
  name,
  type: 'values',
  subs: VALUE,
  ...(written && { written }),
});

const COMMON: readonly Attribute[] = [
  { name: 'id', type: 'text', written: 'server' },
  { name: 'schemas', type: 'values', written: 'server' },
  { name: 'meta', type: 'complex', subs: ['resourceType', 'created', 'lastModified'], written: 'server' },
  text('externalId'),
  text('displayName'),
  values('groups', 'server'),
  values('entitlements'),
  values('roles'),
];

const ACTIVE: Attribute = { name: 'active', type: 'boolean' };

const attributesOf = (...own: readonly Attribute[]): ReadonlyMap<string, Attribute> =>
  new Map([...COMMON, ...own].map((each) => [each.name.toLowerCase(), each]));

const core = (title: string): string => `urn:ietf:params:scim:schemas:core:2.0:${title}`;

export const RESOURCE_KINDS: Readonly<Record<PrincipalKind, ResourceKind>> = {
  user: {
    kind: 'user',
    title: 'User',
    path: 'Users',
    schemas: [core('User'), 'urn:ietf:params:scim:schemas:extension:workspace:2.0:User'],
    login: 'userName',
    attributes: attributesOf(text('userName'), ACTIVE, values('emails'), {
      name: 'name',
      type: 'complex',
      subs: ['givenName', 'familyName'],
    }),
  },
  servicePrincipal: {
    kind: 'servicePrincipal',
    title: 'ServicePrincipal',
    path: 'ServicePrincipals',
    schemas: [core('ServicePrincipal')],
    login: 'applicationId',
    attributes: attributesOf(text('applicationId'), ACTIVE),
  },
  group: {
    kind: 'group',
    title: 'Group',
    path: 'Groups',
    schemas: [core('Group')],
    login: 'displayName',
    attributes: attributesOf(values('members', 'members')),
  },
};
