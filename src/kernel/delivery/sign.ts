import { createHmac } from 'node:crypto';
import { SECOND_MS } from '../time/units.ts';

const PREFIX = 'whsec_';

/**
 * The headers of the Standard Webhooks scheme. The time is the jar's: a receiver that checks it goes by the same clock when a test moves it.
 * One signature for each secret, so that receivers can change theirs without missing anything.
 */
export function signatureHeaders(
  secrets: readonly string[],
  id: string,
  now: number,
  body: string,
): Record<string, string> {
  if (secrets.length === 0) return {};
  const timestamp = String(Math.floor(now / SECOND_MS));
  const signatures = secrets.map((secret) => `v1,${signature(secret, `${id}.${timestamp}.${body}`)}`);
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}

function signature(secret: string, content: string): string {
  const key = Buffer.from(secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret, 'base64');
  return createHmac('sha256', key).update(content).digest('base64');
}
