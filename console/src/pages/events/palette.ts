import { addressOf } from '../../shared/address.ts';
import { control, dataOf } from '../../shared/api/control.ts';
import { searchOf } from '../../shared/list/filter.ts';
import type { Palette } from '../../shared/page.ts';
import { subscriptionAddress, topicAddress, traceAddress } from './api.ts';

const MOST = 3;

export const palette: Palette = {
  actions: [
    { title: 'Publish a test event', kind: 'Events', address: `${addressOf('events')}?form=publish` },
    { title: 'Create a topic', kind: 'Events', address: `${addressOf('events', 'topics')}?form=topic` },
    {
      title: 'Subscribe to events',
      kind: 'Events',
      address: `${addressOf('events', 'subscriptions')}?form=subscription`,
    },
  ],
  async search(text, signal) {
    const queryOf = (properties: readonly string[]) => {
      const $filter = searchOf(text, properties);
      return { params: { query: { $top: MOST, ...($filter && { $filter }) } }, signal };
    };
    const [topics, subscriptions, traces] = await Promise.all([
      dataOf(control.GET('/_jar/events/topics', queryOf(['name']))),
      dataOf(control.GET('/_jar/events/subscriptions', queryOf(['name']))),
      dataOf(control.GET('/_jar/events/traces', queryOf(['eventId', 'subject']))),
    ]);
    return [
      ...topics.value.map(({ id, name, kind }) => ({ title: name, kind, address: topicAddress(id) })),
      ...subscriptions.value.map(({ id, name }) => ({
        title: name,
        kind: 'Event subscription',
        address: subscriptionAddress(id),
      })),
      ...traces.value.map(({ id, eventId, eventType, subject }) => ({
        title: `${eventType} ${subject} ${eventId}`,
        kind: 'Event',
        address: traceAddress(id),
      })),
    ];
  },
};
