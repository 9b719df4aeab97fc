import { type Static, Type } from 'typebox';
import type { Vault } from '../../../kernel/auth/index.ts';
import { BadConnectionString } from '../../../kernel/outbound/index.ts';
import { readStorageAccount } from '../../../kernel/outbound/storage/index.ts';
import { errors } from '../errors.ts';
import {
  EXPORT_ENTITIES,
  EXPORT_KINDS,
  type ExportConfiguration,
  type ExportKind,
  PATH_FORMATS,
} from './collections.ts';

const LONGEST_NAME = 260;
const LONGEST_SECRET = 4096;

const Entities = Type.Array(Type.Enum([...EXPORT_ENTITIES]), { maxItems: 20 });
const Name = Type.String({ maxLength: LONGEST_NAME });
const PathFormat = Type.Enum([...PATH_FORMATS]);
const Secret = Type.String({ minLength: 1, maxLength: LONGEST_SECRET });
const Kind = Type.Enum([...EXPORT_KINDS]);

const Given = {
  export_entities: Type.Optional(Entities),
  resource_name: Type.Optional(Name),
  resource_group: Type.Optional(Name),
  backfill: Type.Optional(Type.Boolean()),
  blob_path_format_kind: Type.Optional(PathFormat),
  connection_string: Type.Optional(Secret),
  instrumentation_key: Type.Optional(Secret),
  subscription_id: Type.Optional(Type.String({ minLength: 1, maxLength: LONGEST_NAME })),
};

export const NewConfiguration = Type.Object({ type: Kind, ...Given });
/** Missing properties keep their values. */
export const ChangedConfiguration = Type.Object({ type: Type.Optional(Kind), ...Given });
export type Changes = Static<typeof ChangedConfiguration>;

export const ConfigurationView = Type.Object({
  id: Type.String(),
  export_type: Type.Enum(['BlobStorage', 'AppInsights']),
  creation_time: Type.String(),
  last_run_time: Type.Optional(Type.String()),
  export_entities: Entities,
  state: Type.Enum(['Enabled', 'Disabled', 'Pending', 'Deleted', 'Invalid']),
  state_info: Type.Optional(Type.String()),
  resource_group: Type.Optional(Type.String()),
  resource_name: Type.Optional(Type.String()),
  export_configuration: Type.Object({
    type: Kind,
    export_entities: Entities,
    resource_name: Type.Optional(Type.String()),
    resource_group: Type.Optional(Type.String()),
    backfill: Type.Boolean(),
    blob_path_format_kind: Type.Optional(PathFormat),
    subscription_id: Type.Optional(Type.String()),
  }),
});

export const ConfigurationList = Type.Object({ values: Type.Array(ConfigurationView), total: Type.Integer() });

/** The required property per kind, and whether it is a secret. */
const REQUIRED = {
  blob_storage_connection_string: 'connection_string',
  blob_storage_linked_subscription: 'subscription_id',
  application_insights_instrumentation_key: 'instrumentation_key',
  application_insights_linked_subscription: 'subscription_id',
} as const satisfies Record<ExportKind, string>;

const isBlobKind = (kind: ExportKind): boolean => kind.startsWith('blob_storage');

/** Validates the changes in a request and seals secrets. */
export function readChanges(vault: Vault, kind: ExportKind, body: Changes): Partial<ExportConfiguration> {
  const { export_entities, backfill, blob_path_format_kind, subscription_id, resource_group } = body;
  const resourceName = body.resource_name ?? accountName(kind, body);
  return {
    ...(export_entities && { entities: [...new Set(export_entities)] }),
    ...(resourceName !== undefined && { resourceName }),
    ...(resource_group !== undefined && { resourceGroup: resource_group }),
    ...(backfill !== undefined && { backfill }),
    ...(blob_path_format_kind && isBlobKind(kind) && { pathFormat: blob_path_format_kind }),
    ...(subscription_id !== undefined && REQUIRED[kind] === 'subscription_id' && { subscriptionId: subscription_id }),
    ...sealedSecret(vault, kind, body),
  };
}

export function requireDestination(kind: ExportKind, body: Changes): void {
  const field = REQUIRED[kind];
  if (body[field] !== undefined) return;
  throw errors.BadRequest({ reason: `An export of the type '${kind}' requires '${field}'.` }, { target: field });
}

function sealedSecret(vault: Vault, kind: ExportKind, body: Changes): { readonly sealed?: string } {
  const field = REQUIRED[kind];
  if (field === 'subscription_id') return {};
  const secret = body[field];
  return secret === undefined ? {} : { sealed: vault.seal(secret) };
}

/** The storage account of a connection string; reading it also validates the string. */
function accountName(kind: ExportKind, { connection_string: text }: Changes): string | undefined {
  if (kind !== 'blob_storage_connection_string' || text === undefined) return undefined;
  try {
    return readStorageAccount(text, ['blob']).name;
  } catch (error) {
    if (!(error instanceof BadConnectionString)) throw error;
    throw errors.BadRequest(
      { reason: `The value of 'connection_string' ${error.message}.` },
      { target: 'connection_string' },
    );
  }
}

export function configurationView(configuration: ExportConfiguration): Static<typeof ConfigurationView> {
  const { id, kind, entities, backfill, pathFormat, subscriptionId, state, stateInfo, lastRunAt } = configuration;
  const resource = {
    ...(configuration.resourceGroup !== undefined && { resource_group: configuration.resourceGroup }),
    ...(configuration.resourceName !== undefined && { resource_name: configuration.resourceName }),
  };
  return {
    id,
    export_type: isBlobKind(kind) ? 'BlobStorage' : 'AppInsights',
    creation_time: configuration.createdAt,
    ...(lastRunAt !== undefined && { last_run_time: lastRunAt }),
    export_entities: [...entities],
    state,
    ...(stateInfo !== undefined && { state_info: stateInfo }),
    ...resource,
    export_configuration: {
      type: kind,
      export_entities: [...entities],
      ...resource,
      backfill,
      ...(isBlobKind(kind) && { blob_path_format_kind: pathFormat ?? 'WithoutAppId' }),
      ...(subscriptionId !== undefined && { subscription_id: subscriptionId }),
    },
  };
}
