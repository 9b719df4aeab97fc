import type { Tx } from '../../../../kernel/store/index.ts';
import { isObject, type JsonMembers } from '../../../../kernel/values/index.ts';
import { errors } from '../../errors.ts';
import { type Actor, callerIdentity } from '../../jar.ts';
import { isMetastoreAdmin, requirePrivilege, requireReachable } from '../core/access.ts';
import { findChain } from '../core/chain.ts';
import { overlappingLocation, overlappingRoot, refuseDataIn } from '../core/dependants.ts';
import { isolationOf } from '../core/isolation.ts';
import type { SecurableDraft, SecurableKind } from '../core/kind.ts';
import type { Securable } from '../core/securables.ts';
import { parseStorageUrl, type StorageUrl } from '../core/storage-url.ts';
import { catalogOperations } from '../core/wire.ts';
import { CREDENTIAL_ISOLATION, STORAGE_CREDENTIALS } from '../credentials/kinds.ts';

const missing = (field: string) =>
  errors.INVALID_PARAMETER_VALUE({ reason: `CreateExternalLocation Missing required field: ${field}` });

function urlIn({ fields: { url } }: SecurableDraft): StorageUrl {
  if (typeof url !== 'string' || url === '') throw missing('url');
  const parsed = parseStorageUrl(url);
  if (parsed) return parsed;
  throw errors.INVALID_PARAMETER_VALUE({
    reason: `'${url.slice(0, 300)}' is not a valid url of an external location; the form is abfss://container@account/path (also s3, gs, r2, wasbs), with at most 2,000 bytes and 100 folders, none of them empty or '..'.`,
  });
}

/** Locations must not overlap with each other or with managed storage. */
async function refuseOverlap(
  tx: Tx,
  call: string,
  draft: SecurableDraft,
  url: StorageUrl,
  own?: string,
): Promise<void> {
  const metastore = draft.above.target;
  // One at a time, so that the second of two overlapping locations sees the first.
  await tx.lock(`platform.external-locations:${metastore.id}`);
  const what = `[INVALID_PARAMETER_VALUE.LOCATION_OVERLAP] Input path url '${String(draft.fields.url)}' overlaps with`;
  const location = await overlappingLocation(tx, metastore.id, url, own);
  if (location)
    throw errors.INVALID_PARAMETER_VALUE({
      reason: `${what} other external locations within '${call}' call. Conflicting location: ${location.name}.`,
    });
  const root = await overlappingRoot(tx, metastore, url);
  if (root)
    throw errors.INVALID_PARAMETER_VALUE({
      reason: `${what} managed storage within '${call}' call. Conflicting ${root.kind}: ${root.name}.`,
    });
}

/** The credential that a location names. The creator of the location also needs a privilege on the credential. */
async function credentialIn(tx: Tx, call: Actor, { above, fields }: SecurableDraft): Promise<Securable> {
  const { credential_name: name } = fields;
  if (typeof name !== 'string' || name === '') throw missing('credential_name');
  const chain = await findChain(tx, above.target, 'credential', name, { lock: 'share' });
  if (!isMetastoreAdmin(callerIdentity(call), above.target)) requirePrivilege(call, chain, 'CREATE_EXTERNAL_LOCATION');
  requireReachable(call, chain);
  if (!STORAGE_CREDENTIALS.includes?.(chain.target))
    throw errors.INVALID_PARAMETER_VALUE({ reason: `Credential '${chain.target.name}' is not a storage credential.` });
  return chain.target;
}

const isForced = (body: unknown): boolean => isObject(body) && (body as JsonMembers).force === true;

const FORCE = 'Use the force option to continue anyway.';

/** External locations: storage addresses that can be used with a credential. */
export const EXTERNAL_LOCATIONS: SecurableKind = {
  type: 'external_location',
  above: 'metastore',
  idField: 'id',
  limits: ['external-locations'],
  creates: 'CREATE_EXTERNAL_LOCATION',
  renames: true,
  fields: {
    url: { type: 'string', most: 4096 },
    credential_name: { type: 'string', most: 255 },
    comment: { type: 'string', most: 65_536 },
    read_only: { type: 'boolean', default: false },
    fallback: { type: 'boolean', default: false },
    enable_file_events: { type: 'boolean', default: false },
    file_event_queue: { type: 'object' },
    encryption_details: { type: 'object' },
    isolation_mode: { type: 'string', words: CREDENTIAL_ISOLATION },
    skip_validation: { type: 'boolean' },
  },
  changes: [
    'url',
    'credential_name',
    'comment',
    'read_only',
    'fallback',
    'enable_file_events',
    'file_event_queue',
    'encryption_details',
    'isolation_mode',
    'skip_validation',
  ],
  hooks: {
    async check(tx, call, draft, before) {
      const url = urlIn(draft);
      if (!before || draft.fields.url !== before.fields.url) {
        if (before && !isForced(call.body)) await refuseDataIn(tx, before, FORCE);
        const name = before ? 'UpdateExternalLocation' : 'CreateExternalLocation';
        await refuseOverlap(tx, name, draft, url, before?.id);
      }
      const isNamed = !before || draft.fields.credential_name !== before.fields.credential_name;
      return {
        ...isolationOf(call, draft.fields.isolation_mode, before),
        ...(isNamed && { uses: (await credentialIn(tx, call, draft)).id }),
        fields: { skip_validation: undefined },
      };
    },
    async removing(tx, _call, { target }, { force }) {
      if (!force) await refuseDataIn(tx, target, FORCE);
    },
  },
  view: ({ fields, uses, bindings }, { used }) => ({
    // A renamed credential is not written to its locations, so its current name is read here.
    credential_name: used?.name ?? fields.credential_name,
    credential_id: uses,
    isolation_mode: bindings ? 'ISOLATION_MODE_ISOLATED' : 'ISOLATION_MODE_OPEN',
  }),
};

export const LOCATION_OPERATIONS = catalogOperations(EXTERNAL_LOCATIONS, {
  of: 'External locations',
  operations: 'externalLocations',
  path: '/external-locations',
  array: 'external_locations',
  list: ({ query }) => ({ unbound: query.include_unbound === 'true' }),
});
