import { expect, it } from 'vitest';
import { onBothStores, SUBSCRIPTION } from '../../../support/jars.ts';
import { Grid } from '../topics/grid.ts';
import { idIn, OPTIONS, Partners } from './support.ts';

const CHANNEL = 'partner/partnerNamespaces/contoso/channels/hall';
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT/);

/** Events of a customer go to an endpoint of the partner. */
onBothStores(
  'partner destinations',
  (bench) => {
    const partners = new Partners(bench);
    const grid = new Grid(bench, 'customer');
    const url = (): string => `${bench.jar.inbox('hall').httpsUrl}?key=hidden`;
    const client = {
      clientAuthenticationType: 'AzureAD',
      properties: {
        azureActiveDirectoryTenantId: '10000000-0000-4000-8000-000000000001',
        azureActiveDirectoryApplicationIdOrUri: 'https://hall.example',
      },
    };
    const publish = async (id: string): Promise<void> => {
      const { key1 } = await grid.keys('topics/orders');
      const body = [
        { id, eventType: 'Order', subject: 's', eventTime: '2030-01-01T00:00:00Z', dataVersion: '1', data: {} },
      ];
      const headers = { 'aeg-sas-key': key1 };
      const sent = await bench.call('POST', '/events/westeurope/orders/api/events', { token: null, body, headers });
      expect(sent.status).toBe(200);
      await bench.jar.settled();
    };
    const received = async (): Promise<string[]> =>
      (await bench.jar.inbox('hall').requests()).map(({ json }) => json()[0].id);

    it('are made by a channel, whose address only getFullUrl shows', async () => {
      await partners.begin();
      await partners.namespace('contoso');
      const made = await partners.destination('contoso', 'hall', { endpointUrl: url(), clientAuthentication: client });
      expect(made.status).toBe(200);
      expect(made.body.properties).toEqual({
        channelType: 'PartnerDestination',
        partnerDestinationInfo: {
          azureSubscriptionId: SUBSCRIPTION,
          resourceGroupName: 'customer',
          name: 'hall',
          endpointType: 'WebHook',
          endpointServiceContext: 'queue 7',
          properties: {
            endpointUrl: null,
            endpointBaseUrl: bench.jar.inbox('hall').httpsUrl,
            clientAuthentication: client,
          },
        },
        messageForActivation: expect.stringContaining("partner destination 'hall'"),
        readinessState: 'NeverActivated',
        expirationTimeIfNotActivatedUtc: TIME,
        provisioningState: 'Succeeded',
      });
      expect((await partners.call('POST', `${CHANNEL}/getFullUrl`)).body).toEqual({ endpointUrl: url() });
      const { body } = await partners.call('GET', 'customer/partnerDestinations/hall');
      expect([body.type, body.location]).toEqual(['Vendor.EventGrid/partnerDestinations', 'westus']);
      expect(body.properties).toEqual({
        partnerRegistrationImmutableId: partners.id,
        endpointServiceContext: 'queue 7',
        endpointBaseUrl: bench.jar.inbox('hall').httpsUrl,
        expirationTimeIfNotActivatedUtc: TIME,
        messageForActivation: made.body.properties.messageForActivation,
        provisioningState: 'Succeeded',
        activationState: 'NeverActivated',
      });
    });

    it('get the events of a subscription once they are activated', async () => {
      await grid.create('topics/orders');
      const resourceId = idIn('customer', 'partnerDestinations/hall');
      const path = 'customer/topics/orders/eventSubscriptions/hall';
      const made = await partners.call('PUT', path, {
        properties: { destination: { endpointType: 'PartnerDestination', properties: { resourceId } } },
      });
      expect(made.status).toBe(201);
      await bench.jar.settled();
      const stored = await partners.call('GET', path);
      expect(stored.body.properties.destination).toEqual({
        endpointType: 'PartnerDestination',
        properties: { resourceId },
      });
      await publish('1');
      expect(await received()).toEqual([]);
      const active = await partners.activate('hall', 'partnerDestinations');
      expect([active.status, active.body.properties.activationState]).toEqual([200, 'Activated']);
      expect(active.body.properties.messageForActivation).toBeUndefined();
      expect(active.body.properties.expirationTimeIfNotActivatedUtc).toBeUndefined();
      await bench.jar.clock.advance('10m');
      await publish('2');
      expect(await received()).toEqual(['1', '2']);
      const [request] = await bench.jar.inbox('hall').requests();
      expect(request?.query).toEqual({ key: 'hidden' });
      expect(request?.headers['aeg-event-type']).toBe('Notification');
      expect(request?.headers['aeg-output-event-id']).toBeUndefined();
      expect(request?.headers.authorization).toMatch(/^Bearer /);
    });

    it('keep their address if a change leaves it out, and accept another', async () => {
      const context = { endpointServiceContext: 'queue 8' };
      const known = { endpointBaseUrl: bench.jar.inbox('hall').httpsUrl };
      const same = await partners.destination('contoso', 'hall', known);
      expect(same.status).toBe(200);
      expect((await partners.call('POST', `${CHANNEL}/getFullUrl`)).body).toEqual({ endpointUrl: url() });
      const other = await partners.call('PATCH', CHANNEL, {
        properties: { partnerDestinationInfo: { ...context, properties: { endpointUrl: `${url()}&more=1` } } },
      });
      expect(other.status).toBe(200);
      expect((await partners.call('POST', `${CHANNEL}/getFullUrl`)).body).toEqual({ endpointUrl: `${url()}&more=1` });
      const { body } = await partners.call('GET', 'customer/partnerDestinations/hall');
      expect(body.properties.activationState).toBe('Activated');
    });

    it('are unknown to versions without them', async () => {
      const resourceId = idIn('customer', 'partnerDestinations/hall');
      const properties = { destination: { endpointType: 'PartnerDestination', properties: { resourceId } } };
      const refused = await partners.call(
        'PUT',
        'customer/topics/orders/eventSubscriptions/new',
        { properties },
        '2025-02-15',
      );
      expect(refused.status).toBe(400);
    });

    it('leave their channel idle when they are deleted, and events undeliverable', async () => {
      expect((await partners.call('DELETE', 'customer/partnerDestinations/hall')).status).toBe(202);
      const { body } = await partners.call('GET', CHANNEL);
      expect(body.properties.provisioningState).toBe('IdleDueToMirroredPartnerDestinationDeletion');
      await publish('3');
      expect(await received()).toEqual(['1', '2']);
    });
  },
  OPTIONS,
);

onBothStores(
  'event channels',
  (bench) => {
    const partners = new Partners(bench);
    const path = 'partner/partnerNamespaces/contoso/eventChannels/orders';
    const source = { source: 'Contoso.Orders' };

    it('lead to a partner topic without an authorization, and filter', async () => {
      await partners.begin();
      await partners.call('DELETE', 'customer/partnerConfigurations/default');
      await partners.namespace('contoso');
      const destination = { azureSubscriptionId: SUBSCRIPTION, resourceGroup: 'customer', partnerTopicName: 'old' };
      const made = await partners.call('PUT', path, { properties: { source, destination } });
      expect([made.status, made.body.type]).toEqual([200, 'Vendor.EventGrid/partnerNamespaces/eventChannels']);
      expect(made.body.properties).toEqual({
        source,
        destination,
        provisioningState: 'Succeeded',
        partnerTopicReadinessState: 'NotActivatedByUserYet',
        expirationTimeIfNotActivatedUtc: TIME,
      });
      const read = await partners.call('GET', path);
      expect(read.body.properties).toEqual({ ...made.body.properties, filter: {} });
      await partners.activate('old');
      const active = await partners.call('GET', path);
      expect(active.body.properties.partnerTopicReadinessState).toBe('ActivatedByUser');
      await partners.subscribe('old', 'old');
      const filter = { advancedFilters: [{ operatorType: 'StringIn', key: 'data.color', values: ['red'] }] };
      const changed = await partners.call('PUT', path, { properties: { source, destination, filter } });
      expect(changed.body.properties.filter).toEqual(filter);
      const events = ['red', 'blue'].map((color) => ({
        specversion: '1.0',
        id: color,
        type: 'Order',
        source: 'Contoso.Orders',
        data: { color },
      }));
      expect((await partners.publish('contoso', events)).status).toBe(200);
      expect(await partners.received('old')).toEqual(['red']);
      expect((await partners.call('DELETE', path)).status).toBe(204);
      expect((await partners.call('DELETE', path)).status).toBe(204);
    });
  },
  OPTIONS,
);
