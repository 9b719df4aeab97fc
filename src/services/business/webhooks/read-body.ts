import { suggestion } from '../../../kernel/config/index.ts';
import type { Jar } from '../../../kernel/service/index.ts';
import { noObject } from '../api/input.ts';
import { errors } from '../errors.ts';

const LONGEST_CLIENT_STATE = 2048;
export const LONGEST_URL = 8192;

/** What a client may say of a subscription; absent is what was not sent. */
export interface GivenSubscription {
  readonly notificationUrl?: string;
  readonly resource?: string;
  readonly clientState?: string;
}

const WRITABLE = ['notificationUrl', 'resource', 'clientState'] as const;

/** Said by the service alone. Who sends back what was read means no harm, so these are passed over. */
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
      reason: 'The body must be a JSON object with notificationUrl, resource and, if wanted, clientState; {} renews.',
    });
  }
  const given: Record<string, string> = {};
  for (const [name, value] of Object.entries(body)) {
    // Annotations say how to read the rest, which is known here.
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
  // What has parts is not written out: it may be as deep as it is long.
  const shown = typeof value === 'object' ? 'what has parts' : String(value).slice(0, 100);
  throw errors.BadRequest__Value({ property, value: shown, reason: 'it is a text' }, { target: property });
}

function checkLength(clientState: string): void {
  const { length } = clientState;
  if (length <= LONGEST_CLIENT_STATE) return;
  const values = { length, maximum: LONGEST_CLIENT_STATE, property: 'clientState' };
  throw errors.Application_StringExceededLength(values, { target: 'clientState' });
}

/** A property that a new subscription cannot do without. */
export function required(property: 'notificationUrl' | 'resource', value: string | undefined): string {
  if (value !== undefined && value.trim() !== '') return value.trim();
  throw errors.BadRequest_RequiredParamNotProvided({ property }, { target: property });
}

/** An absolute address with https, or with http where the jar lets it pass. */
export function checkUrl({ outbound }: Pick<Jar, 'outbound'>, written: string): void {
  const refused = (reason: string): Error =>
    errors.BadRequest__Value(
      { property: 'notificationUrl', value: `'${written.replace(/[?#].*$/s, '').slice(0, 200)}'`, reason },
      { target: 'notificationUrl' },
    );
  if (written.length > LONGEST_URL) throw refused(`it has more than ${LONGEST_URL} characters`);
  const url = URL.parse(written);
  if (!url || url.hostname === '') throw refused('it is no absolute address');
  if (url.protocol === 'https:' || (url.protocol === 'http:' && outbound.guard.mayUseHttp(url))) return;
  throw refused('it has to use https (on this machine http will do with --allow-http-loopback)');
}
