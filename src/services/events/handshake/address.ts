import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Vault } from '../../../kernel/auth/index.ts';
import type { EventsCall } from '../jar.ts';

/**
 * A validation address: anyone who has it can confirm the endpoint. It carries the handshake that it belongs to, and a signature over that.
 */
export interface Wanted {
  /** Key of the subscription. */
  readonly key: string;
  readonly operation: string;
  /** When the operation began, ISO 8601. */
  readonly time: string;
}

export function validationUrl(vault: Vault, origin: string, name: string, wanted: Wanted, apiVersion: string): string {
  const query = new URLSearchParams({
    id: Buffer.from(`${wanted.operation} ${wanted.key}`).toString('base64url'),
    t: wanted.time,
    apiVersion,
    token: tokenOf(vault, wanted),
  });
  return `${origin}/eventsubscriptions/${encodeURIComponent(name.toLowerCase())}/validate?${query}`;
}

/** Returns undefined if the signature is not the jar's. */
export function readValidation(vault: Vault, query: Readonly<Record<string, unknown>>): Wanted | undefined {
  const { id, t: time, token } = query;
  if (typeof id !== 'string' || typeof time !== 'string' || typeof token !== 'string') return undefined;
  const text = Buffer.from(id, 'base64url').toString('utf8');
  const space = text.indexOf(' ');
  const wanted = { operation: text.slice(0, space), key: text.slice(space + 1), time };
  const expected = Buffer.from(tokenOf(vault, wanted));
  const given = Buffer.from(token);
  return given.length === expected.length && timingSafeEqual(given, expected) ? wanted : undefined;
}

function tokenOf(vault: Vault, { key, operation, time }: Wanted): string {
  return createHmac('sha256', vault.deriveKey('validation of event subscriptions'))
    .update(JSON.stringify([key, operation, time]))
    .digest('base64url');
}

/** Origin at which the caller reached the jar, always with https. */
export function httpsOrigin({ origin, secure, jar }: Pick<EventsCall, 'origin' | 'secure' | 'jar'>): string {
  if (secure) return origin;
  const { hostname } = new URL(origin);
  return `https://${hostname}:${jar.addresses.httpsPort}`;
}
