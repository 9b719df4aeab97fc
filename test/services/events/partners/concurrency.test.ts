import { expect, it } from 'vitest';
import { onBothStores } from '../../../support/jars.ts';
import { groupId, OPTIONS, Partners } from './support.ts';

const NAMESPACE = 'partner/partnerNamespaces/contoso';
const AT_ONCE = 6;

onBothStores(
  'partner and customer at the same moment',
  (bench) => {
    const partners = new Partners(bench);
    const times = <T>(make: (index: number) => Promise<T>): Promise<T[]> =>
      Promise.all(Array.from({ length: AT_ONCE }, (_, index) => make(index)));

    it('create one channel and one partner topic from identical requests', async () => {
      await partners.begin();
      await partners.namespace('contoso');
      const made = await times(() => partners.channel('contoso', 'same'));
      expect(made.map(({ status }) => status)).toEqual(made.map(() => 200));
      expect((await partners.call('GET', `${NAMESPACE}/channels`)).body.value).toHaveLength(1);
      expect((await partners.call('GET', 'customer/partnerTopics')).body.value).toHaveLength(1);
    });

    it('give a source to one channel', async () => {
      const made = await times((index) => partners.channel('contoso', `rival-${index}`, { source: '/rival' }));
      const taken = made.filter(({ status }) => status === 200);
      expect(taken).toHaveLength(1);
      const refused = made.filter(({ status }) => status !== 200);
      expect(refused.map(({ body }) => body.error.code)).toEqual(refused.map(() => 'SourceAlreadyRouted'));
    });

    it('give a name in a group to one channel', async () => {
      const made = await times((index) => partners.channel('contoso', `name-${index}`, { name: 'wanted' }));
      expect(made.filter(({ status }) => status === 200)).toHaveLength(1);
      const refused = made.filter(({ status }) => status !== 200);
      expect(refused.map(({ body }) => body.error.code)).toEqual(refused.map(() => 'PartnerResourceExists'));
    });

    it('are consistent eventually, whoever activates, deletes and writes', async () => {
      await times(async (index) => {
        await partners.channel('contoso', `busy-${index}`);
        await Promise.all([
          partners.activate(`busy-${index}`),
          partners.call('DELETE', `${NAMESPACE}/channels/busy-${index}`),
          partners.channel('contoso', `busy-${index}`),
          partners.call('DELETE', `customer/partnerTopics/busy-${index}`),
        ]);
      });
      for (let index = 0; index < AT_ONCE; index += 1) {
        const channel = await partners.call('GET', `${NAMESPACE}/channels/busy-${index}`);
        const topic = await partners.call('GET', `customer/partnerTopics/busy-${index}`);
        if (channel.status === 200) {
          const isIdle = channel.body.properties.provisioningState === 'IdleDueToMirroredPartnerTopicDeletion';
          expect(topic.status === 404 || topic.body.properties.provisioningState !== 'Succeeded').toBe(isIdle);
        } else if (topic.status === 200) {
          expect(topic.body.properties.provisioningState).toBe('IdleDueToMirroredChannelResourceDeletion');
        }
      }
    });

    it('are deleted together when both groups are deleted', async () => {
      const gone = await Promise.all(
        ['partner', 'customer'].map((name) => bench.call('DELETE', `${groupId(name)}?api-version=2021-04-01`)),
      );
      expect(gone.map(({ status }) => status)).toEqual([202, 202]);
      await bench.jar.settled();
      await partners.begin();
      await partners.namespace('contoso');
      expect((await partners.call('GET', `${NAMESPACE}/channels`)).body.value).toEqual([]);
      expect((await partners.call('GET', 'customer/partnerTopics')).body.value).toEqual([]);
    });

    it('let readers only read', async () => {
      await partners.channel('contoso', 'orders');
      const token = await bench.jar.token({ user: 'no-job-queue' });
      const as = (method: string, path: string, body?: object) =>
        partners.call(method, path, body, undefined, token).then(({ status }) => status);
      expect(await as('GET', `${NAMESPACE}/channels/orders`)).toBe(200);
      expect(await as('GET', 'customer/partnerTopics/orders')).toBe(200);
      for (const path of [
        `${NAMESPACE}/listKeys`,
        `${NAMESPACE}/channels/orders/getFullUrl`,
        'customer/partnerTopics/orders/activate',
        'customer/partnerConfigurations/default/authorizePartner',
      ])
        expect(await as('POST', path, {})).toBe(403);
    });
  },
  OPTIONS,
);
