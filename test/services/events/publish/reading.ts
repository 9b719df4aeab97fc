import type { Resource } from '../../../../src/kernel/arm/collections.ts';
import { ApiError } from '../../../../src/kernel/http/errors.ts';
import type { EventsCall } from '../../../../src/services/events/jar.ts';
import { planOf } from '../../../../src/services/events/publish/plan.ts';
import { readEvents } from '../../../../src/services/events/publish/read-events.ts';
import type { Reading } from '../../../../src/services/events/publish/reading.ts';

/** Reads bodies as a topic does, without a jar. */

export const TOPIC = '/subscriptions/s/resourceGroups/g/providers/Vendor.EventGrid/topics/orders';
export const DOMAIN = '/subscriptions/s/resourceGroups/g/providers/Vendor.EventGrid/domains/shops';
export const NOW = Date.UTC(2030, 0, 1);

export interface Sent {
  readonly properties?: Resource['properties'];
  readonly domain?: boolean;
  readonly headers?: Record<string, string>;
  /** A value is sent as JSON. */
  readonly body?: unknown;
}

export function read({ properties = {}, domain = false, headers = {}, body }: Sent): Reading {
  const id = domain ? DOMAIN : TOPIC;
  const resource = { id, name: 'orders', subscriptionId: 's', properties } as unknown as Resource;
  const plan = planOf({ kind: domain ? 'domain' : 'topic', key: id.toLowerCase(), resource });
  const call = { headers, jar: { config: { namespace: ['Microsoft'] } }, receivedAt: NOW } as unknown as EventsCall;
  return readEvents(call, plan, bytesOf(body));
}

function bytesOf(body: unknown): Buffer | undefined {
  if (body === undefined || Buffer.isBuffer(body)) return body as Buffer | undefined;
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}

/** The mistakes that a body is refused for. */
export function mistakesIn(sent: Sent): string[] {
  try {
    read(sent);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const codes = new Set(error.details.map(({ code }) => code));
    if (error.status !== 400 || error.code !== 'BadRequest' || codes.size !== 1 || !codes.has('InputJsonInvalid')) {
      throw new Error(`refused in an unusual way: ${error.status} ${error.code}`, { cause: error });
    }
    return error.details.map(({ message }) => message);
  }
  return [];
}
