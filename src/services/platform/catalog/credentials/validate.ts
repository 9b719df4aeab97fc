import { ok } from '../../../../kernel/http/index.ts';
import { isObject, type JsonMembers } from '../../../../kernel/values/index.ts';
import { completeFields, type FieldRules, readFields } from '../../engine/fields.ts';
import { errors } from '../../errors.ts';
import { callerIdentity, type PlatformCall, routeCode } from '../../jar.ts';
import type { Operation } from '../../operation.ts';
import { isMetastoreAdmin, requirePrivilege, requireReachable } from '../core/access.ts';
import { byId, type Chain, findChain } from '../core/chain.ts';
import { metastoreIn } from '../core/metastore.ts';
import type { Securable } from '../core/securables.ts';
import { parseStorageUrl } from '../core/storage-url.ts';
import { CATALOG_VERSIONS } from '../core/wire.ts';
import { cloudOf, type IdentityName, identityOf, identityRules, onlyIdentity } from './identities.ts';

/**
 * Validates that a credential gives access to an address. No other cloud is contacted: stored records are checked, all other checks are
 * skipped.
 */

const COMMON: FieldRules = {
  external_location_name: { type: 'string', most: 255 },
  url: { type: 'string', most: 4096 },
  read_only: { type: 'boolean' },
  ...identityRules(),
};

interface Validated {
  /** Absent: the request names none, and the location's identity applies. */
  readonly identity: IdentityName | undefined;
  readonly isReadOnly: boolean;
  readonly url: string | undefined;
}

async function named(call: PlatformCall, metastore: Securable, type: 'credential' | 'external_location', name: string) {
  const chain = await findChain(call.jar.store, metastore, type, name);
  mayValidate(call, chain);
  requireReachable(call, chain);
  return chain.target;
}

/** Administrators of the metastore, owners, and principals who may create locations with the credential. */
function mayValidate(call: PlatformCall, chain: Chain): void {
  const [metastore] = chain.above;
  if (metastore && isMetastoreAdmin(callerIdentity(call), metastore)) return;
  if (chain.target.kind === 'credential') requirePrivilege(call, chain, 'CREATE_EXTERNAL_LOCATION', 'ACCESS');
  else requirePrivilege(call, chain, 'READ_FILES', 'WRITE_FILES');
}

/** The subject of a validation: a credential by name or in the body, and an address, given directly or by a location's name. */
async function validatedIn(call: PlatformCall, said: JsonMembers, credential: unknown): Promise<Validated> {
  const metastore = await metastoreIn(call);
  const { external_location_name: place, url, read_only: readOnly } = said;
  const location =
    typeof place === 'string' && place !== '' ? await named(call, metastore, 'external_location', place) : undefined;
  const isInline = Object.keys(identityRules()).some((name) => said[name] !== undefined);
  const kept =
    typeof credential === 'string' && credential !== ''
      ? await named(call, metastore, 'credential', credential)
      : !isInline && location?.uses !== undefined
        ? await byId(call.jar.store, location.uses)
        : undefined;
  if (!kept && !isInline && !location) onlyIdentity({});
  return {
    identity: isInline ? onlyIdentity(said) : kept && identityOf(kept),
    isReadOnly: readOnly === true || kept?.fields.read_only === true || location?.fields.read_only === true,
    url: typeof location?.fields.url === 'string' ? location.fields.url : typeof url === 'string' ? url : undefined,
  };
}

const OPERATIONS = ['LIST', 'READ', 'WRITE', 'DELETE', 'PATH_EXISTS'] as const;
const WRITING: readonly string[] = ['WRITE', 'DELETE'];

interface Outcome {
  readonly result: 'PASS' | 'FAIL' | 'SKIP';
  readonly message: string;
}

function outcomeOf({ identity, url }: Validated): Outcome {
  if (identity === undefined)
    return { result: 'FAIL', message: 'The credential of the external location does not exist any more.' };
  const parsed = parseStorageUrl(url ?? '');
  if (!parsed) return { result: 'FAIL', message: `'${(url ?? '').slice(0, 300)}' is not a storage address.` };
  if (parsed.cloud !== cloudOf(identity))
    return { result: 'FAIL', message: `A credential with ${identity} gives no access to storage of ${parsed.cloud}.` };
  return { result: 'SKIP', message: 'The storage was not contacted; the credential and the address match.' };
}

function resultsOf(validated: Validated): readonly JsonMembers[] {
  const outcome = outcomeOf(validated);
  return OPERATIONS.map((operation) =>
    validated.isReadOnly && WRITING.includes(operation)
      ? { operation, result: 'SKIP', message: 'The credential or the location is read-only.' }
      : { operation, ...outcome },
  );
}

const fieldsOf = (rules: FieldRules, body: unknown): JsonMembers =>
  completeFields(rules, readFields(rules, isObject(body) || body === undefined ? (body ?? {}) : body));

export const VALIDATE_OPERATIONS: readonly Operation[] = [
  {
    method: 'POST',
    path: '/unity-catalog/validate-storage-credentials',
    versions: CATALOG_VERSIONS,
    operation: 'storageCredentials_validate',
    summary: 'Check a storage credential against an address',
    code: routeCode([], {
      async handle(call) {
        const said = fieldsOf({ ...COMMON, storage_credential_name: { type: 'string', most: 255 } }, call.body);
        const validated = await validatedIn(call, said, said.storage_credential_name);
        if (validated.url === undefined)
          throw errors.INVALID_PARAMETER_VALUE({ reason: 'Either url or external_location_name must be given.' });
        return ok({ isDir: true, results: resultsOf(validated) });
      },
    }),
  },
  {
    method: 'POST',
    path: '/unity-catalog/validate-credentials',
    versions: CATALOG_VERSIONS,
    operation: 'credentials_validate',
    summary: 'Check a credential',
    code: routeCode([], {
      async handle(call) {
        const purpose = { type: 'string', words: ['SERVICE', 'STORAGE'] } as const;
        const rules = { ...COMMON, credential_name: { type: 'string', most: 255 }, purpose } as const;
        const said = fieldsOf(rules, call.body);
        const validated = await validatedIn(call, said, said.credential_name);
        if (validated.url !== undefined) return ok({ isDir: true, results: resultsOf(validated) });
        if (said.purpose === 'STORAGE')
          throw errors.INVALID_PARAMETER_VALUE({ reason: 'Either url or external_location_name must be given.' });
        const message = 'The cloud was not contacted; the credential is complete.';
        return ok({ results: [{ result: 'SKIP', message }] });
      },
    }),
  },
];
