const VERSION = '2022-06-15';
const ORDERS = 24;
const BILLED_FROM = 200;

/**
 * Orders on a topic: billing receives the large ones, and the warehouse is out of order.
 * @param {import('../../../src/testing/index.ts').TestJar} jar
 * @param {import('./client.mjs').Client} ask
 */
export async function placeOrders(jar, ask) {
  const topic = '/providers/Vendor.EventGrid/topics/orders';
  await ask.group('shop', 'PUT', topic, { location: 'westeurope' }, VERSION);
  await jar.settled();
  const large = [{ operatorType: 'NumberGreaterThanOrEquals', key: 'data.total', value: BILLED_FROM }];
  for (const [receiver, filter] of Object.entries({ billing: { advancedFilters: large }, warehouse: {} })) {
    const destination = { endpointType: 'WebHook', properties: { endpointUrl: `${jar.url}/_jar/inbox/${receiver}` } };
    const path = `${topic}/providers/Vendor.EventGrid/eventSubscriptions/${receiver}`;
    await ask.group('shop', 'PUT', path, { properties: { destination, filter } }, VERSION);
  }
  await jar.settled();
  await ask.control('PUT', '/_jar/inbox/warehouse/behaviour', { status: 503 });
  const { key1 } = await ask.group('shop', 'POST', `${topic}/listKeys`, undefined, VERSION);
  const { properties } = await ask.group('shop', 'GET', topic, undefined, VERSION);
  const endpoint = new URL(properties.endpoint);
  for (let order = 1; order <= ORDERS; order++) {
    const event = {
      id: `order-${order}`,
      eventType: 'Shop.OrderPlaced',
      subject: `orders/${1000 + order}`,
      eventTime: new Date(jar.clock.now()).toISOString(),
      dataVersion: '1',
      data: { order: 1000 + order, total: 19.9 * order },
    };
    await ask.send('POST', endpoint.pathname + endpoint.search, [event], { 'aeg-sas-key': key1 });
  }
  await jar.clock.advance('2m');
  const events = await ask.control('GET', "/_jar/events/traces?$filter=eventId eq 'order-4'");
  return { event: events.value[0].id };
}
