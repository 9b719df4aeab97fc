import { ok } from '../../../../kernel/http/index.ts';
import type { JsonMembers } from '../../../../kernel/values/index.ts';
import { Sent } from '../../engine/sent.ts';
import { errors } from '../../errors.ts';
import { type PlatformCall, routeCode } from '../../jar.ts';
import type { Operation } from '../../operation.ts';
import { requirePrivilege, requireReachable, requireVisible } from '../core/access.ts';
import { type Chain, chainById, findChain, fullNameOf, parentChain } from '../core/chain.ts';
import { coveringLocation, dataAbove } from '../core/dependants.ts';
import { doesNotExist } from '../core/errors.ts';
import { metastoreIn } from '../core/metastore.ts';
import type { Privilege } from '../core/privileges.ts';
import { dataIdOf, type Securable } from '../core/securables.ts';
import { managedLocation } from '../core/storage.ts';
import { cloudOfUrl, parseStorageUrl } from '../core/storage-url.ts';
import { CATALOG_VERSIONS } from '../core/wire.ts';
import { cloudOf, identityOf } from '../credentials/identities.ts';
import { READS, temporaryCredential, temporaryServiceCredential, WRITES } from './issue.ts';

/** Credentials valid for one hour, for clients that access the catalog's storage directly. */

/** The metastore of the call. Throws unless its administrators have allowed access by external engines. */
async function openMetastore(call: PlatformCall): Promise<Securable> {
  const metastore = await metastoreIn(call);
  if (metastore.fields.external_access_enabled === true) return metastore;
  throw errors.PERMISSION_DENIED({
    reason: `External data access is disabled on metastore '${metastore.name}': external_access_enabled is false.`,
  });
}

interface OfData {
  readonly type: 'table' | 'volume';
  readonly idField: string;
  /** The privileges that each operation needs on the table or volume. */
  readonly needs: Readonly<Record<string, readonly Privilege[]>>;
}

const TABLES: OfData = {
  type: 'table',
  idField: 'table_id',
  needs: { READ: ['SELECT'], READ_WRITE: ['SELECT', 'MODIFY'] },
};

const VOLUMES: OfData = {
  type: 'volume',
  idField: 'volume_id',
  needs: { READ_VOLUME: ['READ_VOLUME'], WRITE_VOLUME: ['READ_VOLUME', 'WRITE_VOLUME'] },
};

const isWriting = (operation: string): boolean => operation.includes('WRITE');

const credentialFor = (call: PlatformCall, address: string, writes: boolean): JsonMembers => ({
  url: address,
  ...temporaryCredential(call.jar, {
    cloud: cloudOfUrl(address),
    audience: address,
    permissions: writes ? WRITES : READS,
  }),
});

function needOperation(sent: Sent, words: readonly string[]): string {
  const operation = sent.word('operation', words);
  if (operation === undefined) throw errors.INVALID_PARAMETER_VALUE__MissingField({ field: 'operation' });
  return operation;
}

async function forData(call: PlatformCall, { type, idField, needs }: OfData): Promise<JsonMembers> {
  const metastore = await openMetastore(call);
  const sent = new Sent(call.body);
  const id = sent.need(idField);
  const operation = needOperation(sent, Object.keys(needs));
  const chain = await chainById(call.jar.store, id);
  if (chain?.target.kind !== type || chain.target.metastore !== metastore.id) throw doesNotExist(type, id);
  requireVisible(call, chain);
  requirePrivilege(call, parentChain(chain), 'EXTERNAL_USE_SCHEMA');
  for (const privilege of needs[operation] ?? []) requirePrivilege(call, chain, privilege);
  requireReachable(call, chain, { writes: isWriting(operation) });
  if (dataIdOf(chain.target) !== chain.target.id)
    throw errors.INVALID_PARAMETER_VALUE({
      reason: `The ${type} '${fullNameOf(chain)}' comes from a share: the provider has its files, and there are no credentials for them.`,
    });
  return credentialFor(call, addressOf(chain), isWriting(operation));
}

const addressOf = (chain: Chain): string => {
  const { storage_location: said } = chain.target.fields;
  return typeof said === 'string' ? said : managedLocation(chain);
};

const PATH_NEEDS: Readonly<Record<string, readonly Privilege[]>> = {
  PATH_READ: ['READ_FILES'],
  PATH_READ_WRITE: ['READ_FILES', 'WRITE_FILES'],
  PATH_CREATE_TABLE: ['CREATE_EXTERNAL_TABLE'],
};

/** For an address in an external location that belongs to no table or volume. */
async function forPath(call: PlatformCall): Promise<JsonMembers> {
  const metastore = await openMetastore(call);
  const sent = new Sent(call.body);
  const address = sent.need('url');
  const operation = needOperation(sent, Object.keys(PATH_NEEDS));
  const url = parseStorageUrl(address);
  if (!url) throw errors.INVALID_PARAMETER_VALUE({ reason: `'${address.slice(0, 300)}' is not a storage address.` });
  const location = await coveringLocation(call.jar.store, metastore.id, url);
  if (!location)
    throw errors.PERMISSION_DENIED({
      reason: `The path '${address.slice(0, 300)}' is not within an external location.`,
    });
  const chain: Chain = { target: location, above: [metastore] };
  for (const privilege of ['EXTERNAL_USE_LOCATION', ...(PATH_NEEDS[operation] ?? [])] as const)
    requirePrivilege(call, chain, privilege);
  const writes = operation !== 'PATH_READ';
  requireReachable(call, chain, { writes });
  if (writes && location.fields.read_only === true)
    throw errors.INVALID_PARAMETER_VALUE({ reason: `External location '${location.name}' is read-only.` });
  const owner = await dataAbove(call.jar.store, metastore.id, url);
  if (owner)
    throw errors.INVALID_PARAMETER_VALUE({
      reason: `The path '${address.slice(0, 300)}' belongs to a ${owner.kind}; ask for the credentials of the ${owner.kind}.`,
    });
  return sent.flag('dry_run') ? {} : credentialFor(call, address, writes);
}

/** For services of a cloud, by a credential with the purpose SERVICE. */
async function forService(call: PlatformCall): Promise<JsonMembers> {
  const metastore = await metastoreIn(call);
  const sent = new Sent(call.body);
  const chain = await findChain(call.jar.store, metastore, 'credential', sent.need('credential_name'));
  requirePrivilege(call, chain, 'ACCESS');
  requireReachable(call, chain);
  const identity = identityOf(chain.target);
  if (chain.target.fields.purpose !== 'SERVICE' || identity === undefined)
    throw errors.INVALID_PARAMETER_VALUE({ reason: `Credential '${chain.target.name}' is not a service credential.` });
  const scopes = sent.member('azure_options')?.texts('resources') ?? sent.member('gcp_options')?.texts('scopes') ?? [];
  return temporaryServiceCredential(call.jar, {
    cloud: cloudOf(identity),
    audience: JSON.stringify([chain.target.id, ...scopes]),
    permissions: 'service',
  });
}

const row = (
  path: string,
  operation: string,
  summary: string,
  versions: readonly string[],
  handle: (call: PlatformCall) => Promise<JsonMembers>,
): Operation => ({
  method: 'POST',
  path: `/unity-catalog/${path}`,
  versions,
  operation,
  summary,
  code: routeCode([], { handle: async (call) => ok(await handle(call)) }),
});

const BOTH = ['2.0', '2.1'] as const;

export const TEMPORARY_OPERATIONS: readonly Operation[] = [
  row(
    'temporary-table-credentials',
    'temporaryCredentials_table',
    'Create a temporary credential for the storage of a table',
    BOTH,
    (call) => forData(call, TABLES),
  ),
  row(
    'temporary-volume-credentials',
    'temporaryCredentials_volume',
    'Create a temporary credential for the storage of a volume',
    BOTH,
    (call) => forData(call, VOLUMES),
  ),
  row(
    'temporary-path-credentials',
    'temporaryCredentials_path',
    'Create a temporary credential for a storage address',
    BOTH,
    forPath,
  ),
  row(
    'temporary-service-credentials',
    'credentials_generateTemporary',
    'Create a temporary credential for a service',
    CATALOG_VERSIONS,
    forService,
  ),
];
