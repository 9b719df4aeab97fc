import type { Vault } from '../../../../kernel/auth/index.ts';
import { errors } from '../../errors.ts';
import type { Request } from '../../tracking/request.ts';
import { LONGEST_DESCRIPTION } from '../names.ts';
import type { HttpTarget, JobTarget, WebhookStatus } from './collections.ts';
import { OF_ALL_MODELS, REGISTRY_EVENTS, type RegistryEvent } from './events.ts';

/** Validation of the webhook fields of calls. */

const LONGEST_URL = 2048;
const LONGEST_SECRET = 4096;

const STATUSES: readonly WebhookStatus[] = ['ACTIVE', 'DISABLED', 'TEST_MODE'];

const invalid = (reason: string) => errors.INVALID_PARAMETER_VALUE({ reason });

/** The events without duplicates; undefined if none are given. */
export function readEvents(sent: Request, isOfModel: boolean): readonly RegistryEvent[] | undefined {
  if (!sent.has('events')) return undefined;
  const events = [...new Set(sent.texts('events').map(eventNamed))];
  if (events.length === 0) throw invalid('A webhook needs at least one event.');
  if (isOfModel && events.includes(OF_ALL_MODELS))
    throw invalid(
      `The event ${OF_ALL_MODELS} can only be specified for a registry-wide webhook, without a model_name.`,
    );
  return events;
}

export function eventNamed(word: string): RegistryEvent {
  const event = REGISTRY_EVENTS.find((each) => each === word);
  if (event) return event;
  throw invalid(`Invalid webhook event '${word.slice(0, 100)}'. Valid events are ${REGISTRY_EVENTS.join(', ')}.`);
}

export function readStatus(sent: Request): WebhookStatus | undefined {
  const word = sent.text('status');
  if (word === undefined) return undefined;
  const status = STATUSES.find((each) => each === word);
  if (status) return status;
  throw invalid(`Invalid webhook status '${word.slice(0, 100)}'. Valid statuses are ${STATUSES.join(', ')}.`);
}

export const readDescription = (sent: Request): string | undefined => sent.short('description', LONGEST_DESCRIPTION);

/** Decides whether plain HTTP is allowed for a URL. */
interface HttpGuard {
  mayUseHttp(url: URL): boolean;
}

export interface Sealing {
  readonly vault: Pick<Vault, 'seal'>;
  readonly guard: HttpGuard;
}

/** The target that a call names; undefined if it names none. If the target keeps its kind, omitted members keep their values. */
export function readTarget(
  sent: Request,
  sealing: Sealing,
  before?: HttpTarget | JobTarget,
): HttpTarget | JobTarget | undefined {
  const http = sent.member('http_url_spec');
  const job = sent.member('job_spec');
  if (http && job) throw invalid('A webhook has either an http_url_spec or a job_spec, not both.');
  if (http) return readHttp(http, sealing, before?.kind === 'http' ? before : undefined);
  return job && readJob(job, sealing, before?.kind === 'job' ? before : undefined);
}

function readHttp(sent: Request, { vault, guard }: Sealing, before?: HttpTarget): HttpTarget {
  const url = sent.short('url', LONGEST_URL) ?? before?.url ?? sent.need('url');
  checkUrl(url, guard, 'http_url_spec.url');
  const authorization = sealed(vault, headerIn(sent, 'authorization')) ?? before?.authorization;
  const secret = sealed(vault, sent.short('secret', LONGEST_SECRET)) ?? before?.secret;
  return {
    kind: 'http',
    url,
    verifiesCertificate: sent.flag('enable_ssl_verification') ?? before?.verifiesCertificate ?? true,
    ...(authorization !== undefined && { authorization }),
    ...(secret !== undefined && { secret }),
  };
}

/** The value becomes a header unchanged: a line break in it would start another header. */
function headerIn(sent: Request, name: string): string | undefined {
  const value = sent.short(name, LONGEST_SECRET);
  if (value !== undefined && /[^\x20-\x7e]/.test(value))
    throw invalid(`The field 'http_url_spec.${name}' may contain only printable ASCII characters.`);
  return value;
}

const sealed = (vault: Pick<Vault, 'seal'>, value: string | undefined): string | undefined =>
  value === undefined || value === '' ? undefined : vault.seal(value);

function readJob(sent: Request, { vault, guard }: Sealing, before?: JobTarget): JobTarget {
  const raw = sent.value('job_id');
  const jobId = raw === undefined ? (before?.jobId ?? sent.need('job_id')) : String(raw);
  if (!/^\d{1,18}$/.test(jobId)) throw invalid(`The field 'job_spec.job_id' must be the id of a job.`);
  const workspaceUrl = sent.short('workspace_url', LONGEST_URL) || before?.workspaceUrl;
  if (workspaceUrl !== undefined) checkUrl(workspaceUrl, guard, 'job_spec.workspace_url');
  const token = sent.short('access_token', LONGEST_SECRET);
  const accessToken = sealed(vault, token) ?? before?.accessToken ?? sent.need('access_token');
  return { kind: 'job', jobId, ...(workspaceUrl !== undefined && { workspaceUrl }), accessToken };
}

/** Requires https, or plain http if the jar's configuration allows it. */
export function checkUrl(text: string, guard: HttpGuard, name: string): void {
  const url = URL.parse(text);
  if (url?.protocol === 'https:' || (url?.protocol === 'http:' && guard.mayUseHttp(url))) return;
  throw invalid(`The field '${name}' must be a URL that begins with https://.`);
}
