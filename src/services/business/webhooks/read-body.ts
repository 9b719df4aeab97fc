import { suggestion } from '../../../kernel/config/index.ts';
import type { Jar } from '../../../kernel/service/index.ts';
import { noObject } from '../api/input.ts';
import { errors } from '../errors.ts';

const LONGEST_CLIENT_STATE = 2048;
export const LONGEST_URL = 8192;

/** A subscription as a client sent it; members that were not sent are absent. */
export interface GivenSubscription {
  readonly notificationUrl?: string;
  readonly resource?: string;
  readonly clientState?: string;
}

const WRITABLE = ['notificationUrl', 'resource', 'clientState'] as const;

/** Set by the service only. Ignored in requests, so that clients can send back what they read. */
const SERVER_SIDE = new Set([
  'subscriptionId',
  'userId',
  'lastModifiedDateTime',
  'expirationDateTime',
  'timestamp',
  'systemCreatedAt',
  'systemCreatedBy',
  'systemModifiedAt',
  'systemModifiedBy',
]);

export function readBody(body: unknown): GivenSubscription {
  if (Buffer.isBuffer(body)) throw noObject(body);
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw errors.BadRequest({
      reason: 'The body must be a JSON object with notificationUrl, resource and optionally clientState; {} renews.',
    });
  }
  const given: Record<string, string> = {};
  for (const [name, value] of Object.entries(body)) {
    // Annotations only describe types, which are known here.
    if (name.includes('@') || SERVER_SIDE.has(name)) continue;
    const known = WRITABLE.find((each) => each === name);
    if (!known)
      throw errors.BadRequest__Property(
        { property: name.slice(0, 100), entity: 'subscription', near: suggestion(name, WRITABLE) },
        { target: name },
      );
    given[known] = readText(known, value);
  }
  if (given.clientState !== undefined) checkLength(given.clientState);
  return given;
}

function readText(property: string, value: unknown): string {
  if (value === null) return '';
  if (typeof value === 'string') return value;
  // Objects and lists are not serialised: they can be arbitrarily deep.
  const shown = typeof value === 'object' ? 'an object or list' : String(value).slice(0, 100);
  throw errors.BadRequest__Value({ property, value: shown, reason: 'it is a text' }, { target: property });
}

function checkLength(clientState: string): void {
  const { length } = clientState;
  if (length <= LONGEST_CLIENT_STATE) return;
  const values = { length, maximum: LONGEST_CLIENT_STATE, property: 'clientState' };
  throw errors.Application_StringExceededLength(values, { target: 'clientState' });
}

/** A required property of a new subscription. */
export function required(property: 'notificationUrl' | 'resource', value: string | undefined): string {
  if (value !== undefined && value.trim() !== '') return value.trim();
  throw errors.BadRequest_RequiredParamNotProvided({ property }, { target: property });
}

/** Accepts an absolute https address, or http if the jar allows it. */
export function checkUrl({ outbound }: Pick<Jar, 'outbound'>, written: string): void {
  const refused = (reason: string): Error =>
    errors.BadRequest__Value(
      { property: 'notificationUrl', value: `'${written.replace(/[?#].*$/s, '').slice(0, 200)}'`, reason },
      { target: 'notificationUrl' },
    );
  if (written.length > LONGEST_URL) throw refused(`it has more than ${LONGEST_URL} characters`);
  const url = URL.parse(written);
  if (!url || url.hostname === '') throw refused('it is not an absolute address');
  if (url.protocol === 'https:' || (url.protocol === 'http:' && outbound.guard.mayUseHttp(url))) return;
  throw refused('it has to use https (on this machine http is accepted with --allow-http-loopback)');
}
