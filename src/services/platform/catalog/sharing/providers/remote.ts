import { Calls, OutboundError } from '../../../../../kernel/outbound/index.ts';
import { isObject, type JsonMembers } from '../../../../../kernel/values/index.ts';
import { listOf, membersOf, textOf } from '../../../engine/json.ts';
import { errors, platformError } from '../../../errors.ts';
import type { PlatformCall } from '../../../jar.ts';
import type { Profile } from './profile.ts';

/** Providers outside of the jar, requested by the open protocol with their profile. */

/** In real time, for one page. */
const TIMEOUT_MS = 10_000;
const LARGEST_PAGE = 4 * 1024 * 1024;
const PAGE_SIZE = 500;
/** Stops following a provider that never ends its list. */
const MOST_PAGES = 40;

/** A provider with its name here and its profile. */
export interface RemoteProvider {
  readonly name: string;
  readonly profile: Profile;
}

/** The shares that the profile gives access to. */
export const remoteShares = (call: PlatformCall, provider: RemoteProvider): Promise<readonly JsonMembers[]> =>
  listRemote(call, provider, '/shares', 'shares');

/** The tables of a share, in all of its schemas. */
export const remoteTables = (
  call: PlatformCall,
  provider: RemoteProvider,
  share: string,
): Promise<readonly JsonMembers[]> =>
  listRemote(call, provider, `/shares/${encodeURIComponent(share)}/all-tables`, `tables of '${share.slice(0, 255)}'`);

/** Every item of a list, across all pages. */
async function listRemote(
  call: PlatformCall,
  provider: RemoteProvider,
  path: string,
  what: string,
): Promise<readonly JsonMembers[]> {
  checkProfile(call, provider);
  const items: JsonMembers[] = [];
  let token = '';
  for (let page = 0; page < MOST_PAGES; page++) {
    const query = new URLSearchParams({ maxResults: String(PAGE_SIZE), ...(token !== '' && { pageToken: token }) });
    const answer = await askRemote(call, provider, `${path}?${query}`, what);
    items.push(...listOf(answer.items).map(membersOf));
    token = textOf(answer.nextPageToken) ?? '';
    if (token === '') return items;
  }
  throw failed(provider, what, `it has more than ${MOST_PAGES} pages`);
}

function checkProfile({ jar }: PlatformCall, { name, profile }: RemoteProvider): void {
  if (profile.bearer === '')
    throw errors.INVALID_STATE({ reason: `The recipient profile of the provider '${name}' has no bearer token.` });
  const end = profile.expirationTime === undefined ? Number.NaN : Date.parse(profile.expirationTime);
  if (end <= jar.clock.now())
    throw errors.PERMISSION_DENIED({
      reason: `The recipient profile of the provider '${name}' has expired: its expirationTime is ${profile.expirationTime}.`,
    });
}

async function askRemote(
  call: PlatformCall,
  provider: RemoteProvider,
  path: string,
  what: string,
): Promise<JsonMembers> {
  const { endpoint, bearer } = provider.profile;
  try {
    const answer = await Calls.during(call.signal, (calls) =>
      call.jar.outbound.send({
        url: `${endpoint}${path}`,
        method: 'GET',
        headers: { authorization: `Bearer ${bearer}`, accept: 'application/json' },
        timeoutMs: TIMEOUT_MS,
        maxBodyBytes: LARGEST_PAGE,
        calls,
      }),
    );
    if (answer.truncated) throw failed(provider, what, `its answer is larger than ${LARGEST_PAGE} bytes`);
    const body = parsed(answer.body);
    if (answer.status !== 200) throw refusedBy(provider, what, answer.status, textOf(body?.message));
    if (!body) throw failed(provider, what, 'its answer is not JSON');
    return body;
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    if (error.failure === 'TimedOut')
      throw platformError(504, 'DEADLINE_EXCEEDED', `The provider '${provider.name}' did not answer in time.`, []);
    throw failed(provider, what, error.message);
  }
}

function parsed(body: Buffer): JsonMembers | undefined {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    return isObject(value) ? (value as JsonMembers) : undefined;
  } catch {
    return undefined;
  }
}

/** Translates an error of the provider into an error of this API. */
function refusedBy(provider: RemoteProvider, what: string, status: number, message: string | undefined) {
  const said = message === undefined ? `status ${status}` : `status ${status}, ${message.slice(0, 300)}`;
  const reason = `The provider '${provider.name}' refused to list its ${what}: ${said}`;
  if (status === 401 || status === 403) return errors.PERMISSION_DENIED({ reason });
  if (status === 404) return errors.RESOURCE_DOES_NOT_EXIST({ reason });
  return failed(provider, what, said);
}

/** 502, since clients retry 503 for minutes. */
const failed = ({ name }: RemoteProvider, what: string, reason: string) =>
  platformError(502, 'INTERNAL_ERROR', `The ${what} of the provider '${name}' cannot be listed: ${reason}.`, []);
