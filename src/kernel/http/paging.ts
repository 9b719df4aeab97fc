import { createHmac, timingSafeEqual } from 'node:crypto';
import { unescape as decoded } from 'node:querystring';
import type { Vault } from '../auth/vault.ts';
import type { Position } from '../store/types.ts';
import type { Call } from './route.ts';

const MAC_BYTES = 12;

/**
 * A skip token contains the position where a page ended, and a MAC over the position and its list, so that it can be neither forged nor
 * used for another list.
 */
export function encodeSkipToken(vault: Vault, list: string, place: object): string {
  const payload = Buffer.from(JSON.stringify(place));
  return Buffer.concat([mac(vault, list, payload), payload]).toString('base64url');
}

/** The position in a token of this list; undefined if the token is invalid. */
export function decodeSkipToken<Place extends object = Position>(
  vault: Vault,
  list: string,
  token: string,
): Place | undefined {
  const bytes = Buffer.from(token, 'base64url');
  // Base64 decoding is lenient, but a token has only one valid spelling.
  if (bytes.length <= MAC_BYTES || bytes.toString('base64url') !== token) return undefined;
  const payload = bytes.subarray(MAC_BYTES);
  if (!timingSafeEqual(bytes.subarray(0, MAC_BYTES), mac(vault, list, payload))) return undefined;
  return JSON.parse(payload.toString('utf8')) as Place;
}

function mac(vault: Vault, list: string, payload: Buffer): Buffer {
  return createHmac('sha256', vault.deriveKey('skip tokens'))
    .update(`${list.length}:${list}`)
    .update(payload)
    .digest()
    .subarray(0, MAC_BYTES);
}

/** URL of the next page: the current URL with another skip token. */
export function nextLink(call: Pick<Call, 'origin' | 'url'>, token: string, parameter = '$skiptoken'): string {
  const question = call.url.indexOf('?');
  const [path, query] = question < 0 ? [call.url, ''] : [call.url.slice(0, question), call.url.slice(question + 1)];
  const kept = query
    .split('&')
    .filter(
      (pair) => pair !== '' && decoded(pair.split('=', 1)[0] as string).toLowerCase() !== parameter.toLowerCase(),
    );
  return `${call.origin}${path}?${[...kept, `${encodeURIComponent(parameter)}=${token}`].join('&')}`;
}
