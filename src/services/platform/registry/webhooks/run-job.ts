import { type Reply, replyOf } from '../../../../kernel/delivery/index.ts';
import { SECOND_MS } from '../../../../kernel/time/index.ts';
import { isObject, type JsonMembers, parseJson } from '../../../../kernel/values/index.ts';
import { listOf, membersOf } from '../../engine/json.ts';
import type { PlatformJar } from '../../jar.ts';
import type { JobTarget } from './collections.ts';

const TIMEOUT_MS = 20 * SECOND_MS;
/** Size of the settings of a job with a thousand tasks. */
const LARGEST_JOB_BYTES = 16 * 1024 * 1024;

/**
 * Starts a run of a job, as the owner of the access token, through the jobs API of the workspace that the webhook names; the default is
 * this jar. All checks of the API apply: the token, its scopes, the permission on the job, rate limits and idempotency.
 */
export async function runJob(
  jar: PlatformJar,
  workspaceId: string,
  target: JobTarget,
  payload: string,
  idempotencyToken: string,
): Promise<Reply> {
  const { outbound, vault } = jar;
  const own = target.workspaceUrl === undefined;
  const base = target.workspaceUrl ?? ownAddress(jar);
  const headers = {
    authorization: `Bearer ${vault.open(target.accessToken)}`,
    'content-type': 'application/json',
    ...(own && { 'x-databricks-org-id': workspaceId }),
  };
  const common = { headers, timeoutMs: TIMEOUT_MS, trusted: own };
  const job = await outbound.send({
    ...common,
    url: new URL(`/api/2.2/jobs/get?job_id=${target.jobId}`, base),
    method: 'GET',
    maxBodyBytes: LARGEST_JOB_BYTES,
  });
  if (job.status !== 200) return replyOf(job);
  const run = await outbound.send({
    ...common,
    url: new URL('/api/2.2/jobs/run-now', base),
    method: 'POST',
    body: JSON.stringify({
      job_id: Number(target.jobId),
      idempotency_token: idempotencyToken.slice(0, 64),
      ...parametersFor(parseJson(job.body), payload),
    }),
  });
  return replyOf(run);
}

/** Local address of the jar. */
function ownAddress({ config, addresses }: Pick<PlatformJar, 'config' | 'addresses'>): string {
  const { host } = config;
  const reachable = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `http://${reachable.includes(':') && !reachable.startsWith('[') ? `[${reachable}]` : reachable}:${addresses.httpPort}`;
}

/** Names of the parameters by which a task of a kind receives the payload. */
const PARAMETERS: Readonly<Record<string, readonly string[]>> = {
  notebook_task: ['notebook_params'],
  python_wheel_task: ['notebook_params', 'python_named_params'],
  spark_python_task: ['python_params'],
  spark_jar_task: ['python_params', 'jar_params'],
  spark_submit_task: ['python_params', 'spark_submit_params'],
};

const AS_MAP: ReadonlySet<string> = new Set(['notebook_params', 'python_named_params']);

/** The payload as parameters for the tasks of the job. A job without such tasks gets none. */
export function parametersFor(job: unknown, payload: string): JsonMembers {
  const tasks = isObject(job) ? listOf(membersOf((job as JsonMembers).settings).tasks).map(membersOf) : [];
  const names = new Set(
    tasks.flatMap((task) => Object.keys(PARAMETERS).flatMap((kind) => (task[kind] ? (PARAMETERS[kind] ?? []) : []))),
  );
  // The jobs API refuses requests with both parameters.
  if (names.has('notebook_params')) names.delete('jar_params');
  return Object.fromEntries(
    [...names].map((name) => [name, AS_MAP.has(name) ? { event_message: payload } : [payload]]),
  );
}
