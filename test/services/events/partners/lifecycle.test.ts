import { expect, it } from 'vitest';
import { onBothStores } from '../../../support/jars.ts';
import { event, groupId, idIn, OPTIONS, Partners } from './support.ts';

const NAMESPACE = 'partner/partnerNamespaces/contoso';

onBothStores(
  'channels and what they lead to',
  (bench) => {
    const partners = new Partners(bench);
    let second = '';
    const after = (days: number): string => new Date(bench.jar.clock.now().getTime() + days * 86_400_000).toISOString();
    const statusOf = async (path: string): Promise<number> => (await partners.call('GET', path)).status;

    it('expire after a week unless the partner topic was activated', async () => {
      await partners.begin();
      await partners.namespace('contoso');
      for (const name of ['never', 'later', 'active']) await partners.channel('contoso', name);
      const moved = { properties: { expirationTimeIfNotActivatedUtc: after(20) } };
      expect((await partners.call('PATCH', `${NAMESPACE}/channels/later`, moved)).status).toBe(200);
      await partners.activate('active');
      await bench.jar.clock.advance('6d');
      expect(await statusOf('customer/partnerTopics/never')).toBe(200);
      await bench.jar.clock.advance('25h');
      for (const name of ['never', 'later', 'active']) {
        const expected = name === 'never' ? 404 : 200;
        expect(await statusOf(`customer/partnerTopics/${name}`)).toBe(expected);
        expect(await statusOf(`${NAMESPACE}/channels/${name}`)).toBe(expected);
      }
      await bench.jar.clock.advance('14d');
      expect(await statusOf('customer/partnerTopics/later')).toBe(404);
      expect(await statusOf('customer/partnerTopics/active')).toBe(200);
    });

    it('need a valid authorization', async () => {
      const refused = await partners.channel('contoso', 'fresh');
      expect([refused.status, refused.body.error.code]).toEqual([403, 'PartnerNotAuthorized']);
      await partners.call('POST', 'customer/partnerConfigurations/default/authorizePartner', {
        partnerRegistrationImmutableId: partners.id,
      });
      expect((await partners.channel('contoso', 'fresh')).status).toBe(200);
      await partners.call('POST', 'customer/partnerConfigurations/default/unauthorizePartner', {
        partnerRegistrationImmutableId: partners.id,
      });
      expect((await partners.channel('contoso', 'fresher')).status).toBe(403);
      await partners.call('POST', 'customer/partnerConfigurations/default/authorizePartner', {
        partnerName: 'CONTOSO',
      });
      expect((await partners.channel('contoso', 'fresher')).status).toBe(200);
    });

    it('lead to another subscription of the tenant', async () => {
      const alias = '/providers/Vendor.Subscription/aliases/second?api-version=2021-10-01';
      const order = { displayName: 'Second', workload: 'Production' };
      await bench.call('PUT', alias, { body: { properties: order } });
      await bench.jar.settled();
      await bench.jar.clock.advance('1m');
      second = (await bench.call('GET', alias)).body.properties.subscriptionId;
      const group = groupId('far', second);
      const grouped = await bench.call('PUT', `${group}?api-version=2021-04-01`, { body: { location: 'eastus' } });
      expect([grouped.status, grouped.body.error]).toEqual([201, undefined]);
      const body = {
        properties: {
          partnerAuthorization: { authorizedPartnersList: [{ partnerRegistrationImmutableId: partners.id }] },
        },
      };
      const version = 'api-version=2021-10-15-preview';
      const provider = `${group}/providers/Vendor.EventGrid`;
      await bench.call('POST', `/subscriptions/${second}/providers/Vendor.EventGrid/register?api-version=2021-04-01`);
      await bench.jar.settled();
      const made = await bench.call('PUT', `${provider}/partnerConfigurations/default?${version}`, { body });
      expect(made.status).toBe(200);
      const info = { azureSubscriptionId: second, resourceGroupName: 'FAR' };
      expect((await partners.channel('contoso', 'abroad', info)).status).toBe(200);
      const topic = await bench.call('GET', `${provider}/partnerTopics/abroad?${version}`);
      expect(topic.body).toMatchObject({
        id: `/subscriptions/${second}/resourceGroups/far/providers/Vendor.EventGrid/partnerTopics/abroad`,
        location: 'westus',
      });
    });

    it('route events by their source', async () => {
      for (const name of ['one', 'two']) {
        await partners.channel('contoso', name);
        await partners.activate(name);
        await partners.subscribe(name, name);
      }
      const sent = ['one', 'two', 'one'].map((name, index) => event(String(index), `/contoso/${name}`));
      expect((await partners.publish('contoso', sent)).status).toBe(200);
      expect([await partners.received('one'), await partners.received('two')]).toEqual([['0', '2'], ['1']]);
    });

    it('leave the partner topic idle when they are deleted, and unable to be activated', async () => {
      expect((await partners.call('DELETE', `${NAMESPACE}/channels/fresh`)).status).toBe(204);
      const idle = await partners.call('GET', 'customer/partnerTopics/fresh');
      expect(idle.body.properties.provisioningState).toBe('IdleDueToMirroredChannelResourceDeletion');
      const refused = await partners.activate('fresh');
      expect([refused.status, refused.body.error.code]).toEqual([409, 'ChannelDeleted']);
      const again = await partners.channel('contoso', 'fresh');
      expect(again.status).toBe(200);
      expect((await partners.activate('fresh')).body.properties).toMatchObject({ provisioningState: 'Succeeded' });
    });

    it('recreate the partner topic that the customer has deleted', async () => {
      expect((await partners.call('DELETE', 'customer/partnerTopics/fresh')).status).toBe(202);
      expect((await partners.publish('contoso', event('9', '/contoso/fresh'))).status).toBe(403);
      const again = await partners.channel('contoso', 'fresh');
      expect(again.body.properties).toMatchObject({ provisioningState: 'Succeeded', readinessState: 'NeverActivated' });
      expect(await statusOf('customer/partnerTopics/fresh')).toBe(200);
    });

    it('are listed in pages', async () => {
      const path = `${idIn('partner', 'partnerNamespaces/contoso/channels')}?api-version=2022-06-15&$top=2`;
      const names: string[] = [];
      for (let next: string | undefined = path; next !== undefined; ) {
        const { body } = await bench.call('GET', next);
        expect(body.value.length).toBeLessThanOrEqual(2);
        names.push(...body.value.map(({ name }: { name: string }) => name));
        next = body.nextLink;
      }
      expect(names).toEqual(['abroad', 'active', 'fresh', 'fresher', 'one', 'two']);
    });

    it('are limited in number per namespace', async () => {
      const limit = (value: number | null) =>
        bench.call('PATCH', '/_jar/limits', {
          token: bench.jar.adminKey,
          body: { name: 'events.channels', limit: value },
        });
      expect((await limit(7)).status).toBe(200);
      expect((await partners.channel('contoso', 'seventh')).status).toBe(200);
      const refused = await partners.channel('contoso', 'eighth');
      expect([refused.status, refused.body.error.code]).toEqual([409, 'QuotaReached']);
      await partners.call('DELETE', `${NAMESPACE}/channels/seventh`);
      expect((await partners.channel('contoso', 'eighth')).status).toBe(200);
    });

    it('appear in the change records of both sides, with the caller', async () => {
      const { body } = await bench.call('GET', '/_jar/changes?$top=1000', { token: bench.jar.adminKey });
      const subjects = JSON.stringify(body);
      expect(subjects).toContain(idIn('customer', 'partnerTopics/eighth'));
      expect(subjects).toContain(idIn('partner', 'partnerNamespaces/contoso/channels/eighth'));
    });

    it('are deleted with the group of the customer or of the partner', async () => {
      await bench.call('DELETE', `${groupId('customer')}?api-version=2021-04-01`);
      await bench.jar.settled();
      const idle = await partners.call('GET', `${NAMESPACE}/channels/one`);
      expect(idle.body.properties.provisioningState).toBe('IdleDueToMirroredPartnerTopicDeletion');
      await bench.call('DELETE', `${groupId('partner')}?api-version=2021-04-01`);
      await bench.jar.settled();
      const provider = `${groupId('far', second)}/providers/Vendor.EventGrid`;
      const abroad = await bench.call('GET', `${provider}/partnerTopics/abroad?api-version=2022-06-15`);
      expect(abroad.body.properties.provisioningState).toBe('IdleDueToMirroredChannelResourceDeletion');
      await partners.begin();
      await partners.namespace('contoso');
      expect((await partners.call('GET', `${NAMESPACE}/channels`)).body).toEqual({ value: [] });
      expect((await partners.channel('contoso', 'one')).status).toBe(200);
    });
  },
  OPTIONS,
);
