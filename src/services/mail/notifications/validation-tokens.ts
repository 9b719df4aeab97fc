import type { MailJar } from '../jar.ts';
import type { Subscription } from './types.ts';

/** Application id of the sender of notifications. */
const PUBLISHER = '0bf30f3b-4a52-48df-9a82-234910c4a086';

export type TokenFor = Pick<Subscription, 'tenantId' | 'applicationId' | 'origin' | 'notificationUrlAppId'>;

/** One token for each application and tenant that a message is for, by which the receiver verifies the sender. */
export async function validationTokens(
  { tokens }: Pick<MailJar, 'tokens'>,
  subscriptions: readonly TokenFor[],
): Promise<readonly string[]> {
  const made = new Map<string, string>();
  for (const { tenantId, applicationId, origin, notificationUrlAppId: audience = applicationId } of subscriptions) {
    const key = `${audience} ${tenantId}`.toLowerCase();
    if (made.has(key)) continue;
    const { token } = await tokens.issue({
      origin,
      tenantId,
      audience,
      applicationId: PUBLISHER,
      applicationProof: '1',
      version: '2.0',
      subject: { kind: 'application', objectId: PUBLISHER, displayName: 'Change notifications' },
    });
    made.set(key, token);
  }
  return [...made.values()];
}
