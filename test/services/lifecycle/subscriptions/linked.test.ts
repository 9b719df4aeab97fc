import { expect, it } from 'vitest';
import { OTHER_SUBSCRIPTION, SUBSCRIPTION, withJar } from '../../../support/jars.ts';
import { SEED, seeded } from '../people.ts';

withJar(
  (bench) => {
    const linkedTo = (id: string) => ({
      subscription_id: id,
      tenant_id: expect.any(String),
      subscription_name: id,
      is_billing: false,
      is_billable: false,
      is_microsoft_internal: false,
    });

    it.each([
      ['owner', '/apps/owner/phone', '/azure_subscriptions'],
      ['org-admin', '/apps/acme/desk', '/orgs/acme/azure_subscriptions'],
    ])('links the app of %s to a subscription and ends the link', async (who, app, lists) => {
      const [owner, viewer] = [seeded(bench, who), seeded(bench, 'viewer')];
      const links = `${app}/azure_subscriptions`;
      expect((await viewer.call('GET', links)).body).toEqual([]);
      const wanted = { subscription_id: SUBSCRIPTION.toUpperCase() };
      expect((await viewer.call('POST', links, wanted)).status).toBe(403);
      expect((await owner.call('POST', links, wanted)).status).toBe(204);
      expect((await owner.call('POST', links, wanted)).status).toBe(204);
      expect((await viewer.call('GET', links)).body).toEqual([linkedTo(SUBSCRIPTION)]);
      expect((await owner.call('GET', lists)).body).toEqual([linkedTo(SUBSCRIPTION)]);
      expect((await owner.call('GET', app)).body.azure_subscription).toEqual(linkedTo(SUBSCRIPTION));

      const other = await owner.call('POST', links, { subscription_id: OTHER_SUBSCRIPTION });
      expect(other).toMatchObject({ status: 409, body: { error: { code: 'Conflict' } } });
      expect((await owner.call('DELETE', `${links}/${OTHER_SUBSCRIPTION}`)).status).toBe(404);
      expect((await owner.call('DELETE', `${links}/${SUBSCRIPTION}`)).status).toBe(204);
      expect((await owner.call('DELETE', `${links}/${SUBSCRIPTION}`)).status).toBe(404);
      expect((await owner.call('GET', lists)).body).toEqual([]);
    });

    it.each([{}, { subscription_id: 'mine' }, { subscription_id: 7 }])('refuses %j', async (body) => {
      const answer = await seeded(bench, 'owner').call('POST', '/apps/owner/phone/azure_subscriptions', body);
      expect(answer).toMatchObject({ status: 400, body: { error: { code: 'BadRequest' } } });
      expect(answer.body.error.message).toContain('subscription_id');
    });
  },
  { seed: SEED },
);
