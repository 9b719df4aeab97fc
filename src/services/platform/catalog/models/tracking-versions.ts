import type { Sent } from '../../engine/sent.ts';
import { errors } from '../../errors.ts';
import { type PlatformCall, workspaceIn } from '../../jar.ts';
import type { Operation } from '../../operation.ts';
import { requireManager, requireReachable } from '../core/access.ts';
import { cloudOfUrl } from '../core/storage-url.ts';
import { READS, temporaryCredential, WRITES } from '../temporary/issue.ts';
import { changeVersion, commentIn, readModel, versionsPage } from './operations.ts';
import { checkedTags, type Tags, tagIn, tagsIn, withoutTag } from './tags.ts';
import { trackingRow } from './tracking.ts';
import {
  changeModel,
  createVersion,
  deleteVersion,
  finalizeVersion,
  findVersion,
  type NewVersion,
  requireVersionWriter,
  type VersionOf,
  versionNumber,
  writeVersion,
} from './versions.ts';
import { trackingVersions, versionAddress } from './view.ts';

/**
 * Versions of the catalog's models on the paths of the tracking API. They are created pending, and become ready when their files are
 * complete.
 */

const PATH = '/mlflow/unity-catalog/model-versions';
const LONGEST_SOURCE = 10_000;

const shown = async (call: PlatformCall, found: VersionOf) => ({
  model_version: (await trackingVersions(call, [found]))[0] ?? {},
});

/** Versions are sent as text or as numbers. */
const versionIn = (sent: Sent): string => {
  const version = sent.whole('version');
  if (version === undefined) throw errors.INVALID_PARAMETER_VALUE__MissingField({ field: 'version' });
  return String(version);
};

async function read(call: PlatformCall, sent: Sent): Promise<VersionOf> {
  const chain = await readModel(call, sent.need('name'));
  return findVersion(call.jar.store, chain, versionNumber(chain, versionIn(sent)));
}

function newVersionIn(call: PlatformCall, sent: Sent): NewVersion {
  const source = sent.need('source');
  const runId = sent.text('run_id');
  if (source.length > LONGEST_SOURCE || (runId ?? '').length > 255)
    throw errors.INVALID_PARAMETER_VALUE({
      reason: `The field 'source' must be at most ${LONGEST_SOURCE} characters, 'run_id' at most 255.`,
    });
  return {
    source,
    runId: runId === '' ? undefined : runId,
    runWorkspaceId: runId ? Number(workspaceIn(call).id) : undefined,
    comment: commentIn(sent, 'description'),
    tags: tagsIn(sent),
  };
}

const retag = (call: PlatformCall, sent: Sent, change: (tags: Tags) => Tags): Promise<object> =>
  changeModel(call, sent.need('name'), async (tx, chain) => {
    requireManager(call, chain);
    requireReachable(call, chain, { writes: true });
    const found = await findVersion(tx, chain, versionNumber(chain, versionIn(sent)));
    await writeVersion(tx, call, found, { tags: checkedTags(change(found.version.tags ?? {})) });
    return {};
  });

/** `name = 'catalog.schema.model'`: the only supported search for versions in the catalog. */
function modelIn(filter: string | undefined): string {
  const text = (filter ?? '').trim();
  const found = text.length > 2000 ? undefined : /^name\s{0,10}=\s{0,10}(?:'([^']+)'|"([^"]+)")$/i.exec(text);
  const name = found?.[1] ?? found?.[2];
  if (name !== undefined) return name;
  throw errors.INVALID_PARAMETER_VALUE({
    reason: `Versions of the catalog's models can only be searched by the filter name = 'catalog.schema.model', not by '${text.slice(0, 200)}'.`,
  });
}

const OPERATIONS = [
  'MODEL_VERSION_OPERATION_READ',
  'MODEL_VERSION_OPERATION_READ_WRITE',
  'MODEL_VERSION_READ',
  'MODEL_VERSION_READ_WRITE',
] as const;

/** Credentials to read the files of a version, or to write them while it is pending. */
async function temporary(call: PlatformCall, sent: Sent): Promise<object> {
  const found = await read(call, sent);
  const operation = sent.word('operation', OPERATIONS);
  if (operation === undefined) throw errors.INVALID_PARAMETER_VALUE__MissingField({ field: 'operation' });
  const writes = operation.endsWith('READ_WRITE');
  if (writes) {
    requireVersionWriter(call, found);
    if (found.version.status !== 'PENDING_REGISTRATION')
      throw errors.INVALID_STATE({
        reason: `The files of a version that is ${found.version.status} cannot be written.`,
      });
  }
  const audience = versionAddress(found);
  const cloud = cloudOfUrl(audience);
  return { credentials: temporaryCredential(call.jar, { cloud, audience, permissions: writes ? WRITES : READS }) };
}

export const TRACKING_VERSION_OPERATIONS: readonly Operation[] = [
  trackingRow(
    'POST',
    `${PATH}/create`,
    'ucVersions_create',
    "Create a version of a catalog's model",
    async (call, sent) => shown(call, await createVersion(call, sent.need('name'), () => newVersionIn(call, sent))),
  ),
  trackingRow('GET', `${PATH}/get`, 'ucVersions_get', "Read a version of a catalog's model", async (call, sent) =>
    shown(call, await read(call, sent)),
  ),
  trackingRow(
    'PATCH',
    `${PATH}/update`,
    'ucVersions_update',
    "Describe a version of a catalog's model",
    async (call, sent) =>
      shown(call, await changeVersion(call, sent.need('name'), versionIn(sent), () => commentIn(sent, 'description'))),
  ),
  trackingRow(
    'DELETE',
    `${PATH}/delete`,
    'ucVersions_delete',
    "Delete a version of a catalog's model",
    async (call, sent) => {
      await deleteVersion(call, sent.need('name'), versionIn(sent));
      return {};
    },
  ),
  trackingRow(
    'GET',
    `${PATH}/search`,
    'ucVersions_search',
    "List the versions of a catalog's model",
    async (call, sent) => {
      const chain = await readModel(call, modelIn(sent.text('filter')));
      const { found, next } = await versionsPage(call, chain);
      const versions = await trackingVersions(call, found);
      return { model_versions: versions, ...(next !== undefined && { next_page_token: next }) };
    },
  ),
  trackingRow(
    'GET',
    `${PATH}/get-download-uri`,
    'ucVersions_getDownloadUri',
    'Read the storage address of the files of a version',
    async (call, sent) => ({
      artifact_uri: versionAddress(await read(call, sent)),
    }),
  ),
  trackingRow(
    'POST',
    `${PATH}/finalize`,
    'ucVersions_finalize',
    'Mark the files of a version as complete',
    async (call, sent) => shown(call, await finalizeVersion(call, sent.need('name'), versionIn(sent))),
  ),
  trackingRow(
    'POST',
    `${PATH}/generate-temporary-credentials`,
    'ucVersions_generateTemporaryCredentials',
    'Create a temporary credential for the files of a version',
    temporary,
  ),
  trackingRow(
    'POST',
    `${PATH}/set-tag`,
    'ucVersions_setTag',
    "Set a tag of a version of a catalog's model",
    (call, sent) => retag(call, sent, (tags) => ({ ...tags, ...Object.fromEntries([tagIn(sent)]) })),
  ),
  trackingRow(
    'DELETE',
    `${PATH}/delete-tag`,
    'ucVersions_deleteTag',
    "Delete a tag of a version of a catalog's model",
    (call, sent) => retag(call, sent, (tags) => withoutTag(tags, sent.need('key'))),
  ),
];
