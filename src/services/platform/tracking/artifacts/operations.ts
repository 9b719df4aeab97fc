import { ok } from '../../../../kernel/http/index.ts';
import { type PlatformCall, routeCode } from '../../jar.ts';
import type { Operation } from '../../operation.ts';
import { done, trackingRow } from '../row.ts';
import { credentialsFor, readSigned, SIGNED_PATH, writeSigned } from './credentials.ts';
import { getArtifact, listArtifacts, uploadArtifact } from './of-runs.ts';
import { deleteProxied, getProxied, listProxied, putArtifact, refuseParts } from './proxy.ts';

const PROXY = '/mlflow-artifacts';
const BYTES = 'application/octet-stream';

/** Also served at the path that browsers use. */
const proxied = (path: string): Pick<Operation, 'path' | 'bare'> => ({
  path: `${PROXY}${path}`,
  bare: [`/ajax-api/2.0${PROXY}${path}`],
});

const empty = async (action: Promise<void>) => {
  await action;
  return ok({});
};

const multipart = (step: string): Operation => ({
  method: 'POST',
  ...proxied(`/mpu/${step}/{path*}`),
  operation: `artifacts_${step}Multipart`,
  summary: `Artifacts: refuses to ${step} a multipart upload; clients then upload the file in one request`,
  code: routeCode(['path'], { handle: (call) => refuseParts(call, call.params.path) }),
});

export const ARTIFACT_OPERATIONS: readonly Operation[] = [
  trackingRow('GET', 'artifacts/list', 'artifacts_list', 'Artifacts: list files of a run', listArtifacts),
  trackingRow(
    'POST',
    'artifacts/credentials-for-read',
    'artifacts_credentialsForRead',
    'Artifacts: signed URLs to read files of a run without a credential',
    credentialsFor('read'),
  ),
  trackingRow(
    'POST',
    'artifacts/credentials-for-write',
    'artifacts_credentialsForWrite',
    'Artifacts: signed URLs to write files of a run without a credential',
    credentialsFor('write'),
  ),
  {
    method: 'GET',
    path: '/mlflow/get-artifact',
    bare: ['/get-artifact', '/ajax-api/2.0/mlflow/get-artifact'],
    operation: 'artifacts_get',
    summary: 'Artifacts: read a file of a run',
    produces: BYTES,
    code: routeCode([], { handle: (call: PlatformCall) => getArtifact(call) }),
  },
  trackingRow(
    'POST',
    'upload-artifact',
    'artifacts_upload',
    'Artifacts: write a small file of a run',
    done(uploadArtifact),
    { accepts: 'stream' },
  ),
  {
    method: 'PUT',
    ...proxied('/artifacts/{path*}'),
    operation: 'artifacts_put',
    summary: 'Artifacts: write a file by its path',
    accepts: 'stream',
    code: routeCode(['path'], { handle: (call) => empty(putArtifact(call, call.params.path)) }),
  },
  {
    method: 'GET',
    ...proxied('/artifacts/{path*}'),
    operation: 'artifacts_download',
    summary: 'Artifacts: read a file by its path',
    produces: BYTES,
    code: routeCode(['path'], { handle: (call) => getProxied(call, call.params.path) }),
  },
  {
    method: 'GET',
    ...proxied('/artifacts'),
    operation: 'artifacts_listByPath',
    summary: 'Artifacts: list a directory by its path',
    code: routeCode([], { handle: async (call) => ok(await listProxied(call)) }),
  },
  {
    method: 'DELETE',
    ...proxied('/artifacts/{path*}'),
    operation: 'artifacts_delete',
    summary: 'Artifacts: delete a file or directory by its path',
    code: routeCode(['path'], { handle: (call) => empty(deleteProxied(call, call.params.path)) }),
  },
  multipart('create'),
  multipart('complete'),
  multipart('abort'),
  {
    method: 'GET',
    path: `${SIGNED_PATH}/{token}`,
    operation: 'artifacts_readSigned',
    summary: 'Artifacts: read a file by its signed URL',
    open: true,
    produces: BYTES,
    code: routeCode(['token'], { handle: (call) => readSigned(call, call.params.token) }),
  },
  {
    method: 'PUT',
    path: `${SIGNED_PATH}/{token}`,
    operation: 'artifacts_writeSigned',
    summary: 'Artifacts: write a file by its signed URL',
    open: true,
    accepts: 'stream',
    code: routeCode(['token'], { handle: (call) => empty(writeSigned(call, call.params.token)) }),
  },
];
