import type { DueDelivery, Message } from '../../../kernel/delivery/index.ts';
import { SECOND_MS } from '../../../kernel/time/index.ts';
import { isObject, type JsonMembers, parseJson } from '../../../kernel/values/index.ts';
import { textOf, textsOf } from '../engine/json.ts';
import type { PlatformJar } from '../jar.ts';
import { settingsOf } from '../settings.ts';
import { type Destination, findDestination } from './find.ts';
import { addressOf } from './messages.ts';

/**
 * Composes the request of a delivery with the secrets of its destination. Secrets are added when it is sent, so that stored deliveries
 * contain none, and a change of the destination also applies to queued deliveries.
 */
export async function composeMessage([first]: readonly DueDelivery[], jar: PlatformJar): Promise<Message> {
  if (!first) throw new Error('there is no delivery');
  const { headers, body } = first;
  const [workspaceId = '', id = ''] = first.destination.split('/');
  const destination = await findDestination(jar.store, jar, workspaceId, id);
  if (!destination) throw new Error('the notification destination was deleted');
  // The new secrets must not be sent to the previous address.
  const url = addressOf(destination, settingsOf(jar));
  if (url === undefined) throw new Error('the notification destination no longer has an address');
  const { config, type } = destination;
  if (type === 'PAGERDUTY')
    return { url, headers, body: JSON.stringify({ routing_key: config.integration_key, ...JSON.parse(body) }) };
  const authorization = await credentialFor(jar, destination);
  return { url, headers: { ...headers, ...(authorization !== undefined && { authorization }) }, body };
}

async function credentialFor(jar: PlatformJar, { type, config }: Destination): Promise<string | undefined> {
  const { username, password, oauth_token, oauth_token_url } = config;
  if (type === 'SLACK' && config.url === undefined) return `Bearer ${textOf(oauth_token)}`;
  if (type !== 'WEBHOOK') return undefined;
  if (typeof oauth_token_url === 'string') return `Bearer ${await accessToken(jar, oauth_token_url, config)}`;
  if (typeof username !== 'string' || typeof password !== 'string') return undefined;
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}

const TOKEN_TIMEOUT_MS = 10 * SECOND_MS;

/** Requests a token from the receiver's own authorization server (RFC 6749, client credentials). */
async function accessToken({ outbound }: PlatformJar, url: string, config: JsonMembers): Promise<string> {
  const form = new URLSearchParams({ grant_type: 'client_credentials' });
  const members = {
    client_id: config.oauth_client_id,
    client_secret: config.oauth_client_secret,
    audience: config.oauth_audience,
  };
  for (const [name, value] of Object.entries(members)) if (typeof value === 'string') form.set(name, value);
  const scopes = textsOf(config.oauth_scopes);
  if (scopes.length > 0) form.set('scope', scopes.join(' '));
  const answer = await outbound.send({
    url,
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
    body: form.toString(),
    timeoutMs: TOKEN_TIMEOUT_MS,
    plainHttp: true,
  });
  if (answer.status !== 200) throw new Error(`the token endpoint of the destination answered ${answer.status}`);
  const token = parseJson(answer.body);
  if (isObject(token) && typeof token.access_token === 'string') return token.access_token;
  throw new Error('the token endpoint of the destination gave no access_token');
}
