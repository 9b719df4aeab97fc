import type { Caller } from '../../../kernel/auth/index.ts';
import { urlFor } from '../../../kernel/delivery/index.ts';
import { isoTime } from '../../../kernel/time/index.ts';
import type { MailJar } from '../jar.ts';
import { secretsOf } from './secrets.ts';
import type { Subscription } from './types.ts';

/** With seven fractional digits, as the API writes times. */
export const shownExpiry = (expiresAt: number): string => isoTime(expiresAt).replace('Z', '0000Z');

interface Viewing {
  readonly jar: Pick<MailJar, 'vault'>;
  readonly caller: Pick<Caller, 'readOnly'>;
}

/** A subscription as the API shows it. The client state is shown only in the response to its creation. */
export function subscriptionView(
  { jar, caller }: Viewing,
  subscription: Subscription,
  { isNew = false, isBeta = false }: { readonly isNew?: boolean; readonly isBeta?: boolean },
): Record<string, unknown> {
  const secrets = secretsOf(jar.vault, subscription);
  const shown = (url: string | undefined): string | null => (url === undefined ? null : urlFor(caller, url));
  const { resourceData } = subscription;
  return {
    id: subscription.id,
    resource: subscription.resource,
    applicationId: subscription.applicationId,
    changeType: subscription.changeType,
    clientState: isNew ? (secrets?.clientState ?? null) : null,
    notificationUrl: shown(secrets?.notificationUrl),
    notificationQueryOptions: null,
    notificationContentType: 'application/json',
    lifecycleNotificationUrl: shown(secrets?.lifecycleNotificationUrl),
    expirationDateTime: shownExpiry(subscription.expiresAt),
    creatorId: subscription.creatorId,
    includeResourceData: resourceData !== undefined,
    latestSupportedTlsVersion: subscription.latestSupportedTlsVersion,
    encryptionCertificate: isNew || !resourceData ? null : '',
    encryptionCertificateId: resourceData?.certificateId ?? null,
    notificationUrlAppId: subscription.notificationUrlAppId ?? null,
    ...(isBeta && { vapidPublicKey: null, webPushEncryptionP256dhPublicKey: null, webPushEncryptionSecret: null }),
  };
}
