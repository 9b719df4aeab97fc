import { withPrefix } from '../../../kernel/arm/index.ts';
import { uuid } from '../../../kernel/ids/index.ts';
import type { Tx } from '../../../kernel/store/index.ts';
import { type EventSubscription, subscriptionKey } from '../collections.ts';
import type { EventsJar } from '../jar.ts';
import { readableSecrets } from '../secrets.ts';
import { serviceHeaders } from './messages.ts';
import { NOTICE } from './policy-names.ts';

/** Notifies the endpoint of a live subscription that the subscription was deleted. */
export async function notifyOfDeletion(tx: Tx, jar: EventsJar, subscription: EventSubscription): Promise<void> {
  const { id, name, topic, live, prefix = 'Vendor' } = subscription;
  const url = live?.destination?.endpointType === 'WebHook' ? readableSecrets(jar.vault, live).endpointUrl : undefined;
  if (!live || url === undefined) return;
  const time = new Date(jar.clock.now()).toISOString();
  const type = `${prefix}.EventGrid.SubscriptionDeletedEvent`;
  const source = withPrefix(topic, prefix);
  const data = { eventSubscriptionId: withPrefix(id, prefix) };
  const isCloudEvent = live.eventDeliverySchema === 'CloudEventSchemaV1_0';
  const event = isCloudEvent
    ? { specversion: '1.0', id: uuid(), source, type, subject: '', time, data }
    : {
        id: uuid(),
        topic: source,
        subject: '',
        data,
        eventType: type,
        eventTime: time,
        metadataVersion: '1',
        dataVersion: '2',
      };
  await jar.delivery.enqueue(tx, {
    policy: NOTICE,
    destination: subscriptionKey(subscription),
    owner: subscriptionKey(subscription),
    subject: 'notice of deletion',
    url,
    headers: {
      'content-type': `application/${isCloudEvent ? 'cloudevents+json' : 'json'}; charset=utf-8`,
      ...serviceHeaders('SubscriptionDeletion', name, isCloudEvent),
      'aeg-delivery-count': '0',
    },
    body: JSON.stringify(isCloudEvent ? event : [event]),
  });
}
