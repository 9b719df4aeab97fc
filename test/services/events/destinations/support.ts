import type { OpenService, Service } from '../../../../src/kernel/service/service.ts';
import type { Destination } from '../../../../src/services/events/definition.ts';
import type { DeadLetterMessage, ResourceMessage } from '../../../../src/services/events/destinations/messages.ts';
import { EVENTS } from '../../../../src/services/events/index.ts';
import type { EventsJar } from '../../../../src/services/events/jar.ts';
import { type StartJarOptions, startJar, type TestJar } from '../../../../src/testing/index.ts';

export const GROUP = '/subscriptions/10000000-0000-4000-8000-0000000000f1/resourceGroups/shop';
export const ACCOUNT = `${GROUP}/providers/Vendor.Storage/storageAccounts/shopdata`;
export const BUS = `${GROUP}/providers/Vendor.ServiceBus/namespaces/shopbus`;
export const HUBS = `${GROUP}/providers/Vendor.EventHub/namespaces/shophubs`;
export const SITE = `${GROUP}/providers/Vendor.Web/sites/shopsite`;
export const RELAY = `${GROUP}/providers/Vendor.Relay/namespaces/shoprelay`;
export const OWNER = `${GROUP}/providers/vendor.eventgrid/topics/orders/providers/vendor.eventgrid/eventsubscriptions/mine`;

/** A jar with its internal parts, for tests of senders. */
export interface OpenedJar {
  readonly running: TestJar;
  readonly jar: EventsJar;
}

export async function openedJar(options: StartJarOptions = {}): Promise<OpenedJar> {
  let inside: OpenService | undefined;
  const events: Service = {
    ...EVENTS,
    eager: true,
    async open(jar) {
      inside = await EVENTS.open(jar);
      return inside;
    },
  };
  const running = await startJar({ ...options, services: [events] });
  return { running, jar: inside?.jar as EventsJar };
}

/** A jar with these connections for destinations. */
export const jarWith = (
  connections: Readonly<Record<string, unknown>>,
  options: StartJarOptions = {},
): Promise<OpenedJar> => openedJar({ ...options, settings: { events: { connections } } });

let messages = 0;

export const EVENT = {
  id: 'event-1',
  topic: `${GROUP}/providers/Vendor.EventGrid/topics/orders`,
  subject: 'orders/17',
  eventType: 'Shop.OrderPlaced',
  eventTime: '2030-01-01T00:00:00Z',
  data: { total: 12.5, note: 'ünïcode ✓' },
  dataVersion: '1',
  metadataVersion: '1',
};

export function messageTo(
  endpointType: Destination['endpointType'],
  properties: Destination['properties'],
  more: Partial<ResourceMessage> = {},
): ResourceMessage {
  return {
    url: properties.resourceId ?? '',
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'aeg-event-type': 'Notification',
      'aeg-subscription-name': 'MINE',
      'aeg-delivery-count': '0',
      'aeg-output-event-id': EVENT.id,
    },
    body: JSON.stringify(EVENT),
    deliveryId: `delivery${++messages}`,
    eventId: EVENT.id,
    destination: { endpointType, properties },
    owner: OWNER,
    ...more,
  };
}

export function deadLetter(more: Partial<DeadLetterMessage> = {}): DeadLetterMessage {
  return {
    url: ACCOUNT,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify([{ ...EVENT, deadLetterReason: 'MaxDeliveryAttemptsExceeded' }]),
    deliveryId: `delivery${++messages}`,
    resourceId: ACCOUNT,
    container: 'letters',
    blob: 'MINE/2030/1/5/7/one.json',
    ...more,
  };
}

/** A signal that aborts only after the test would have failed anyway. */
export const patiently = (): AbortSignal => AbortSignal.timeout(120_000);
