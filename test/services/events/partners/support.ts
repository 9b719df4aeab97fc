import { expect } from 'vitest';
import type { StartJarOptions } from '../../../../src/testing/index.ts';
import { type Bench, type Reply, SUBSCRIPTION } from '../../../support/jars.ts';
import type { Body } from '../topics/grid.ts';

export const VERSION = '2021-10-15-preview';

export const OPTIONS = { allowHttpLoopback: true } as StartJarOptions;

export const groupId = (group: string, subscription = SUBSCRIPTION): string =>
  `/subscriptions/${subscription}/resourceGroups/${group}`;

export const idIn = (group: string, path: string): string => `${groupId(group)}/providers/Vendor.EventGrid/${path}`;

/** A partner, whose resources are in the group `partner`, and customers in groups of their own. */
export class Partners {
  readonly #bench: Bench;
  /** Immutable id of the registration. */
  id = '';

  constructor(bench: Bench) {
    this.#bench = bench;
  }

  /** `path` is a resource group and the path below the provider: `partner/partnerNamespaces/contoso`. */
  async call(method: string, path: string, body?: Body, version = VERSION, token?: string): Promise<Reply> {
    const [group = '', ...rest] = path.split('/');
    return this.#bench.call(method, `${idIn(group, rest.join('/'))}?api-version=${version}`, {
      ...(body !== undefined && { body }),
      ...(token !== undefined && { token }),
    });
  }

  async group(name: string): Promise<void> {
    await this.#bench.call('PUT', `${groupId(name)}?api-version=2021-04-01`, { body: { location: 'westus' } });
  }

  /** Creates groups, a registration, and the customer's authorization. */
  async begin(): Promise<void> {
    for (const name of ['partner', 'customer']) await this.group(name);
    const { body } = await this.call('PUT', 'partner/partnerRegistrations/contoso', { location: 'global' });
    this.id = body.properties.partnerRegistrationImmutableId;
    const partnerAuthorization = { authorizedPartnersList: [{ partnerRegistrationImmutableId: this.id }] };
    const made = await this.call('PUT', 'customer/partnerConfigurations/default', {
      properties: { partnerAuthorization },
    });
    expect(made.status).toBe(200);
  }

  async namespace(name: string, properties: Body = {}): Promise<void> {
    const partnerRegistrationFullyQualifiedId = idIn('partner', 'partnerRegistrations/contoso');
    const made = await this.call('PUT', `partner/partnerNamespaces/${name}`, {
      location: 'westus',
      properties: { partnerRegistrationFullyQualifiedId, ...properties },
    });
    expect(made.body.error).toBeUndefined();
    await this.#bench.jar.settled();
  }

  channel(namespace: string, name: string, info: Body = {}, more: Body = {}): Promise<Reply> {
    return this.call('PUT', `partner/partnerNamespaces/${namespace}/channels/${name}`, {
      properties: {
        channelType: 'PartnerTopic',
        partnerTopicInfo: { resourceGroupName: 'customer', name, source: `/${namespace}/${name}`, ...info },
        ...more,
      },
    });
  }

  destination(namespace: string, name: string, properties: Body): Promise<Reply> {
    return this.call('PUT', `partner/partnerNamespaces/${namespace}/channels/${name}`, {
      properties: {
        channelType: 'PartnerDestination',
        partnerDestinationInfo: {
          azureSubscriptionId: SUBSCRIPTION,
          resourceGroupName: 'customer',
          name,
          endpointType: 'WebHook',
          endpointServiceContext: 'queue 7',
          properties,
        },
      },
    });
  }

  activate(name: string, type = 'partnerTopics'): Promise<Reply> {
    return this.call('POST', `customer/${type}/${name}/activate`);
  }

  /** Subscribes the inbox of that name to a partner topic. */
  async subscribe(topic: string, inbox: string): Promise<Reply> {
    const properties = { endpointUrl: this.#bench.jar.inbox(inbox).httpsUrl };
    const reply = await this.call('PUT', `customer/partnerTopics/${topic}/eventSubscriptions/${inbox}`, {
      properties: { destination: { endpointType: 'WebHook', properties } },
    });
    await this.#bench.jar.settled();
    return reply;
  }

  /** Ids of the events received by an inbox. */
  async received(inbox: string): Promise<string[]> {
    await this.#bench.jar.settled();
    const requests = await this.#bench.jar.inbox(inbox).requests();
    return requests.flatMap(({ handshake, json }) => (handshake ? [] : [json().id])).sort();
  }

  async publish(namespace: string, events: Body, headers: Record<string, string> = {}): Promise<Reply> {
    const keys = await this.call('POST', `partner/partnerNamespaces/${namespace}/listKeys`);
    return this.#bench.call('POST', `/events/westus/${namespace}/api/events`, {
      token: null,
      body: JSON.stringify(events),
      headers: {
        'aeg-sas-key': keys.body.key1,
        'content-type': `application/cloudevents${Array.isArray(events) ? '-batch' : ''}+json`,
        ...headers,
      },
    });
  }
}

export const event = (id: string, source: string): Body => ({ specversion: '1.0', id, type: 'Contoso.Order', source });
