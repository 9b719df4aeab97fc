import { createHmac } from 'node:crypto';
import { SECOND_MS } from '../time/units.ts';

const PREFIX = 'whsec_';

/**
 * Headers of the Standard Webhooks scheme. The timestamp is the jar's time: a receiver that checks it is expected to use the same clock if a
 * test moves it. There is one signature per secret, so that receivers can rotate secrets without missing messages.
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
