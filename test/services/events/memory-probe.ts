import { SUBSCRIPTION } from '../../support/jars.ts';
import type { MemoryProbe } from '../../support/memory-probe.ts';

const GROUP = `/subscriptions/${SUBSCRIPTION}/resourceGroups/event-probe`;
const TOPIC = `${GROUP}/providers/Vendor.EventGrid/topics/probe`;
const SUBSCRIBED = `${TOPIC}/providers/Vendor.EventGrid/eventSubscriptions/probe`;
const VERSION = 'api-version=2022-06-15';

/** The compiled filters of a topic's subscriptions: explanations use them. */
export const probe: MemoryProbe = {
  service: 'events',
  async remember(bench) {
    await bench.call('PUT', `${GROUP}?api-version=2021-04-01`, { body: { location: 'westeurope' } });
    await bench.call('PUT', `${TOPIC}?${VERSION}`, { body: { location: 'westeurope', properties: {} } });
    await bench.jar.settled();
    const destination = {
      endpointType: 'StorageQueue',
      properties: {
        resourceId: `${GROUP}/providers/Vendor.Storage/storageAccounts/store`,
        queueName: 'probe',
      },
    };
    await bench.call('PUT', `${SUBSCRIBED}?${VERSION}`, { body: { properties: { destination } } });
    await bench.jar.settled();
    await publish(bench);
  },
  async look(bench) {
    const published = await publish(bench);
    const { body } = await bench.call('GET', '/_jar/events/traces', { token: bench.jar.adminKey });
    return [published, body.value.length];
  },
};

async function publish(bench: Parameters<MemoryProbe['look']>[0]): Promise<number> {
  const keys = await bench.call('POST', `${TOPIC}/listKeys?${VERSION}`);
  const headers = { 'aeg-sas-key': keys.body?.key1 ?? 'none' };
  const event = {
    id: '1',
    eventType: 'probe',
    subject: 's',
    eventTime: '2026-01-01T00:00:00Z',
    data: {},
    dataVersion: '1',
  };
  const address = '/events/westeurope/probe/api/events';
  return (await bench.call('POST', address, { token: null, headers, body: [event] })).status;
}
