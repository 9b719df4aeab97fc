import { ok } from '../../../../kernel/http/index.ts';
import type { JsonMembers } from '../../../../kernel/values/index.ts';
import { namesOf } from '../../engine/names.ts';
import { Sent } from '../../engine/sent.ts';
import { errors } from '../../errors.ts';
import { accountIn, callerIdentity, type PlatformCall, routeCode } from '../../jar.ts';
import type { Operation } from '../../operation.ts';
import { requirePrivilege } from '../core/access.ts';
import { metastoreIn, metastoreNow } from '../core/metastore.ts';
import { record } from '../core/operations.ts';
import type { Securable } from '../core/securables.ts';
import { CATALOG_VERSIONS } from '../core/wire.ts';
import {
  ARTIFACT_TYPES,
  type ArtifactAllowlist,
  type ArtifactMatcher,
  type ArtifactType,
  allowlistKey,
  artifactAllowlists,
} from './collections.ts';

const PATH = '/unity-catalog/artifact-allowlists/{artifact_type}';
const MOST_MATCHERS = 1000;
const LONGEST_ARTIFACT = 4096;

function typeIn(sent: string): ArtifactType {
  const type = ARTIFACT_TYPES.find((each) => each === sent.toUpperCase());
  if (type) return type;
  throw errors.INVALID_PARAMETER_VALUE({
    reason: `'${sent.slice(0, 100)}' is not a type of artifacts; it must be one of ${ARTIFACT_TYPES.join(', ')}.`,
  });
}

function matchersIn(body: unknown): readonly ArtifactMatcher[] {
  const list = new Sent(body).list('artifact_matchers');
  if (!list) throw errors.INVALID_PARAMETER_VALUE__MissingField({ field: 'artifact_matchers' });
  if (list.length > MOST_MATCHERS)
    throw errors.INVALID_PARAMETER_VALUE({
      reason: `The field 'artifact_matchers' must have at most ${MOST_MATCHERS} entries.`,
    });
  return list.map((sent) => {
    const artifact = sent.need('artifact');
    if (artifact.length > LONGEST_ARTIFACT)
      throw errors.INVALID_PARAMETER_VALUE({ reason: `An artifact must have at most ${LONGEST_ARTIFACT} characters.` });
    const match = sent.word('match_type', ['PREFIX_MATCH']);
    if (!match) throw errors.INVALID_PARAMETER_VALUE__MissingField({ field: 'match_type' });
    return { artifact, match_type: match };
  });
}

async function view(
  call: PlatformCall,
  metastore: Securable,
  found: ArtifactAllowlist | undefined,
): Promise<JsonMembers> {
  if (!found) return { artifact_matchers: [], metastore_id: metastore.id };
  const { nameOf } = await namesOf(call.jar.store, accountIn(call).id, [found.createdBy]);
  return {
    artifact_matchers: found.matchers.map((each) => ({ ...each })),
    metastore_id: metastore.id,
    created_at: found.createdAt,
    created_by: nameOf(found.createdBy),
  };
}

/** The allowlists of artifacts for shared clusters: read and replaced by holders of `MANAGE_ALLOWLIST`. */
export const ALLOWLIST_OPERATIONS: readonly Operation[] = [
  {
    method: 'GET',
    path: PATH,
    versions: CATALOG_VERSIONS,
    operation: 'artifactAllowlists_get',
    summary: 'Read the allowlist of a type of artifacts',
    code: routeCode(['artifact_type'], {
      async handle(call) {
        const metastore = await metastoreIn(call);
        requirePrivilege(call, { target: metastore, above: [] }, 'MANAGE_ALLOWLIST');
        const key = allowlistKey(metastore.id, typeIn(call.params.artifact_type));
        return ok(await view(call, metastore, (await call.jar.store.get(artifactAllowlists, key))?.value));
      },
    }),
  },
  {
    method: 'PUT',
    path: PATH,
    versions: CATALOG_VERSIONS,
    operation: 'artifactAllowlists_update',
    summary: 'Replace the allowlist of a type of artifacts',
    code: routeCode(['artifact_type'], {
      async handle(call) {
        const metastore = await metastoreIn(call);
        const chain = { target: metastore, above: [] };
        requirePrivilege(call, chain, 'MANAGE_ALLOWLIST');
        const type = typeIn(call.params.artifact_type);
        const matchers = matchersIn(call.body);
        const { id: creator } = callerIdentity(call).principal;
        const list = { matchers, createdAt: call.jar.clock.now(), createdBy: creator };
        await call.jar.store.transact(async (tx) => {
          await metastoreNow(tx, metastore);
          await tx.put(artifactAllowlists, allowlistKey(metastore.id, type), list);
          await record(tx, call, 'update-allowlist', chain);
        });
        return ok(await view(call, metastore, list));
      },
    }),
  },
];
