import { Type } from 'typebox';

/** Schemas of answers, for the OpenAPI document and for tests, which check every answer against them. */

const Text = Type.String();
const Optional = Type.Optional;
const TextOrNull = Type.Union([Text, Type.Null()]);

const head = { id: Text, type: Text, name: Text };
const Named = Type.Object({ name: Text, displayName: Text });

export const ListedGroup = Type.Object({
  ...head,
  properties: Type.Object({ tenantId: Text, displayName: Text }),
});

const Change = { version: Type.Integer(), updatedTime: Text, updatedBy: TextOrNull };

export const GroupSchema = Type.Object({
  ...head,
  properties: Type.Object({
    tenantId: Text,
    displayName: Text,
    details: Type.Object({
      ...Change,
      parent: Type.Union([Type.Object({ id: Text, name: Text, displayName: Text }), Type.Null()]),
      path: Optional(Type.Array(Named)),
      managementGroupAncestors: Optional(Type.Array(Text)),
      managementGroupAncestorsChain: Optional(Type.Array(Named)),
    }),
    children: Optional(Type.Array(Type.Object({ ...head, displayName: Text, children: Optional(Type.Unknown()) }))),
  }),
});

export const BegunSchema = Type.Object({ ...head, status: Text });

export const OperationSchema = Type.Object({
  id: Text,
  name: Text,
  status: Type.Enum(['NotStarted', 'Running', 'Succeeded', 'Failed']),
  properties: Optional(Type.Object({ tenantId: Text, displayName: Text, details: Type.Object(Change) })),
  error: Optional(Type.Object({ code: Text, message: Text })),
});

/** An operation in older api-versions. */
export const OldOperationSchema = Type.Object({ ...head, status: Text, properties: Optional(Type.Unknown()) });

export const DescendantSchema = Type.Object({
  ...head,
  properties: Type.Object({ displayName: Text, parent: Type.Object({ id: Text }) }),
});

export const MemberSchema = Type.Object({
  ...head,
  properties: Type.Object({
    displayName: Text,
    parent: Type.Object({ id: Text, name: Type.Null(), displayName: Type.Null() }),
    state: Text,
    tenant: Text,
  }),
});

export const SettingsSchema = Type.Object({
  ...head,
  properties: Type.Object({
    tenantId: Text,
    requireAuthorizationForGroupCreation: Type.Boolean(),
    defaultManagementGroup: TextOrNull,
  }),
});

export const SettingsListSchema = Type.Object({ value: Type.Array(SettingsSchema), '@nextLink': Type.Null() });

export const NameSchema = Type.Object({
  nameAvailable: Type.Boolean(),
  reason: Optional(Type.Enum(['AlreadyExists', 'Invalid'])),
  message: Optional(Text),
});

export const BackfillSchema = Type.Object({ tenantId: Text, status: Text });

export const EntitySchema = Type.Object({
  id: Text,
  type: Optional(Text),
  name: Optional(Text),
  properties: Type.Object({
    tenantId: Optional(Text),
    displayName: Optional(Text),
    parent: Optional(Type.Object({ id: TextOrNull })),
    permissions: Optional(Text),
    inheritedPermissions: Optional(Text),
    numberOfChildren: Optional(Type.Integer()),
    numberOfChildGroups: Optional(Type.Integer()),
    numberOfDescendants: Optional(Type.Integer()),
    parentDisplayNameChain: Optional(Type.Array(Text)),
    parentNameChain: Optional(Type.Array(Text)),
  }),
});
