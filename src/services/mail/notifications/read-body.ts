import type { Jar } from '../../../kernel/service/index.ts';
import { flag, nullable, object, type Sent, text, word } from '../api/fields.ts';
import { errors } from '../errors.ts';
import { CHANGE_TYPES, type ChangeType } from './types.ts';

const LONGEST_URL = 8192;
const LONGEST_CLIENT_STATE = 255;
const LONGEST_ID = 128;
const WEB_PUSH = { longest: 10_000 };

/** Accepted properties. Read-only properties from an earlier answer (`id`, `applicationId`) may be sent back. */
const fields = {
  id: nullable(text()),
  applicationId: nullable(text()),
  creatorId: nullable(text()),
  changeType: text({ longest: 200 }),
  notificationUrl: text({ longest: LONGEST_URL }),
  lifecycleNotificationUrl: nullable(text({ longest: LONGEST_URL })),
  resource: text(),
  expirationDateTime: text({ longest: 100 }),
  clientState: nullable(text({ longest: LONGEST_CLIENT_STATE })),
  includeResourceData: nullable(flag),
  encryptionCertificate: nullable(text()),
  encryptionCertificateId: nullable(text({ longest: LONGEST_ID })),
  latestSupportedTlsVersion: nullable(word(['v1_0', 'v1_1', 'v1_2', 'v1_3'])),
  notificationContentType: nullable(text({ longest: 100 })),
  notificationQueryOptions: nullable(text({ longest: 1000 })),
  notificationUrlAppId: nullable(text({ longest: LONGEST_ID })),
  vapidPublicKey: nullable(text(WEB_PUSH)),
  webPushEncryptionP256dhPublicKey: nullable(text(WEB_PUSH)),
  webPushEncryptionSecret: nullable(text(WEB_PUSH)),
};

export type GivenSubscription = Sent<typeof fields>;

export const readBody = (body: unknown): GivenSubscription => {
  const given = object('subscription', fields)(body, '');
  const { notificationContentType: type, ...rest } = given;
  if (type && !/^application\/json\s*(;|$)/i.test(type))
    throw invalid('notificationContentType', "only 'application/json' is supported");
  if (rest.notificationQueryOptions)
    throw invalid('notificationQueryOptions', 'it is supported only for printers; a filter is a part of the resource');
  for (const name of ['vapidPublicKey', 'webPushEncryptionP256dhPublicKey', 'webPushEncryptionSecret'] as const)
    if (rest[name]) throw invalid(name, 'it is supported only for web push');
  return given;
};

export function required<N extends 'changeType' | 'notificationUrl' | 'resource' | 'expirationDateTime'>(
  given: GivenSubscription,
  name: N,
): string {
  const value = given[name];
  if (value !== undefined && value.trim() !== '') return value.trim();
  throw errors.InvalidRequest({ reason: `The property '${name}' is required.` }, { target: name });
}

/** Parses `created,updated`. */
export function readChangeTypes(written: string): readonly ChangeType[] {
  const words = written.split(',').map((word) => word.trim().toLowerCase());
  const wrong = words.find((each) => !(CHANGE_TYPES as readonly string[]).includes(each));
  if (wrong !== undefined)
    throw invalid('changeType', `'${wrong.slice(0, 50)}' is not one of ${CHANGE_TYPES.join(', ')}`);
  return CHANGE_TYPES.filter((each) => words.includes(each));
}

/** Requires an absolute https URL, or http if the jar allows it. */
export function checkUrl(
  { outbound }: Pick<Jar, 'outbound'>,
  property: 'notificationUrl' | 'lifecycleNotificationUrl',
  written: string,
): void {
  const url = URL.parse(written);
  if (!url || url.hostname === '') throw invalid(property, 'it is not an absolute URL');
  if (url.protocol === 'https:' || (url.protocol === 'http:' && outbound.guard.mayUseHttp(url))) return;
  throw invalid(property, 'it must use https (on this machine, http is allowed with --allow-http-loopback)');
}

export const invalid = (property: string, reason: string): Error =>
  errors.InvalidRequest({ reason: `The value of '${property}' is not valid: ${reason}.` }, { target: property });
