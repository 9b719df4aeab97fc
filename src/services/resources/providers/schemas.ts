import { Type } from 'typebox';

const text = Type.String();
const texts = Type.Array(text);
const Versions = { apiVersions: texts, defaultApiVersion: text, capabilities: text };
const ZoneMappings = Type.Optional(Type.Array(Type.Object({ location: text, zones: texts })));

export const listOf = <T extends ReturnType<typeof Type.Object>>(item: T) =>
  Type.Object({ value: Type.Array(item), nextLink: Type.Optional(text) });

export const ProviderSchema = Type.Object({
  id: text,
  namespace: text,
  authorization: Type.Object({ applicationId: text, roleDefinitionId: text }),
  registrationState: Type.Optional(
    Type.Enum(['Registered', 'Registering', 'NotRegistered', 'Unregistering', 'Unregistered']),
  ),
  registrationPolicy: Type.Enum(['RegistrationRequired', 'RegistrationFree']),
  resourceTypes: Type.Array(
    Type.Object({
      resourceType: text,
      locations: texts,
      zoneMappings: ZoneMappings,
      apiProfiles: Type.Optional(Type.Array(Type.Object({ profileVersion: text, apiVersion: text }))),
      ...Versions,
    }),
  ),
});

export const ListedTypeSchema = Type.Object({
  resourceType: text,
  locationMappings: Type.Array(Type.Object({ location: text })),
  zoneMappings: ZoneMappings,
  ...Versions,
});

const RoleSchema = Type.Object({ id: text, name: text });

export const PermissionSchema = Type.Object({
  applicationId: text,
  roleDefinition: RoleSchema,
  managedByRoleDefinition: RoleSchema,
  providerAuthorizationConsentState: Type.Enum(['NotSpecified', 'Required', 'NotRequired', 'Consented']),
});

/** A registration's optional consent to an application. */
export const RegisterBody = Type.Object({
  thirdPartyProviderConsent: Type.Optional(Type.Object({ consentToAuthorization: Type.Optional(Type.Boolean()) })),
});

export const OperationRowSchema = Type.Object({
  name: text,
  display: Type.Object({ provider: text, resource: text, operation: text, description: text }),
  origin: text,
  isDataAction: Type.Boolean(),
});

const ProviderOperation = Type.Object({
  name: text,
  displayName: text,
  description: text,
  origin: text,
  isDataAction: Type.Boolean(),
});

export const ProviderOperationsSchema = Type.Object({
  id: text,
  name: text,
  type: text,
  displayName: text,
  resourceTypes: Type.Array(Type.Object({ name: text, displayName: text, operations: Type.Array(ProviderOperation) })),
  operations: Type.Array(ProviderOperation),
});
