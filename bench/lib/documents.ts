import type { JarProcess } from './contenders.ts';
import type { ServerProcess } from './server-process.ts';

/** One stored document on either side, with its request. */
export interface Document {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

const API_VERSION = '2025-04-01';
const JSON_BODY = { 'content-type': 'application/json' };

/** The body of a request that creates a resource group. */
export const GROUP_BODY = { location: 'westus', tags: { team: 'bench', stage: 'one' } };

export interface GroupAddresses {
  readonly token: string;
  readonly subscriptionId: string;
  /** The list of all groups. */
  readonly list: string;
  of(name: string): string;
}

/** The paths of resource groups in the jar's first subscription. */
export async function groupAddresses(jar: JarProcess): Promise<GroupAddresses> {
  const token = await jar.token();
  const answer = await fetch(`${jar.url}/subscriptions?api-version=2022-12-01`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const { value } = (await answer.json()) as { value: { subscriptionId: string }[] };
  const subscriptionId = value[0]?.subscriptionId;
  if (subscriptionId === undefined) throw new Error('the jar has no subscription');
  const groups = `/subscriptions/${subscriptionId}/resourceGroups`;
  const version = `?api-version=${API_VERSION}`;
  return { token, subscriptionId, list: groups + version, of: (name) => `${groups}/${name}${version}` };
}

/** Creates a resource group, and stores the jar's answer unchanged in the bare program. */
export async function makeDocuments(
  jar: JarProcess,
  bare: ServerProcess,
): Promise<{ group: Document; plain: Document }> {
  const groups = await groupAddresses(jar);
  const group = { url: jar.url + groups.of('bench'), headers: { authorization: `Bearer ${groups.token}` } };
  const view = await put(group.url, { ...group.headers, ...JSON_BODY }, JSON.stringify(GROUP_BODY));
  const plain = { url: `${bare.url}/docs/bench`, headers: {} };
  await put(plain.url, JSON_BODY, view);
  return { group, plain };
}

/** The status of a deletion, as clients poll it. */
export async function makeStatusDocuments(
  jar: JarProcess,
  bare: ServerProcess,
): Promise<{ status: Document; plain: Document }> {
  const { of, subscriptionId, token } = await groupAddresses(jar);
  const headers = { authorization: `Bearer ${token}` };
  await put(jar.url + of('gone'), { ...headers, ...JSON_BODY }, JSON.stringify(GROUP_BODY));
  const accepted = await fetch(jar.url + of('gone'), { method: 'DELETE', headers });
  const operation = /operationresults\/([^?]+)/.exec(accepted.headers.get('location') ?? '')?.[1];
  const path = `/subscriptions/${subscriptionId}/providers/Vendor.Resources/locations/westus/operations/${operation}`;
  const status = { url: `${jar.url}${path}?api-version=${API_VERSION}`, headers };
  const answer = await fetch(status.url, { headers });
  if (!answer.ok) throw new Error(`GET ${status.url} answered ${answer.status}`);
  const plain = { url: `${bare.url}/docs/status`, headers: {} };
  await put(plain.url, JSON_BODY, await answer.text());
  return { status, plain };
}

async function put(url: string, headers: Record<string, string>, body: string): Promise<string> {
  const response = await fetch(url, { method: 'PUT', headers, body });
  const text = await response.text();
  if (!response.ok) throw new Error(`PUT ${url} answered ${response.status}: ${text}`);
  return text;
}

/** Without the origin, which differs at every start. */
export const pathOf = ({ url }: Document): string => url.slice(new URL(url).origin.length);
