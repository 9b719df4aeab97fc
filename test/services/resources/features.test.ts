import { FeatureClient } from '@azure/arm-features';
import { describe, expect, it } from 'vitest';
import { onAnyStore, onBothStores, SUBSCRIPTION } from '../../support/jars.ts';

const ROOT = `/subscriptions/${SUBSCRIPTION}/providers/Vendor.Features`;
const V = 'api-version=2021-07-01';
const NAMESPACE = 'Microsoft.ContainerInstance';

onBothStores('a subscription registers for features', (bench) => {
  const credential = {
    getToken: async () => ({ token: await bench.jar.token(), expiresOnTimestamp: Date.now() + 3_600_000 }),
  };
  const client = () => new FeatureClient(credential, SUBSCRIPTION, { endpoint: bench.jar.httpsUrl });

  it('of one provider, and sees how far it is', async () => {
    const { features } = client();
    const name = 'StandbyContainerGroupPools';
    const all = await Array.fromAsync(features.listAll());
    expect(all.map((each) => each.name)).toContain(`${NAMESPACE}/${name}`);
    expect((await Array.fromAsync(features.list(NAMESPACE))).length).toBeLessThan(all.length);
    const state = async () => (await features.get(NAMESPACE, name)).properties?.state;
    expect(await state()).toBe('NotRegistered');
    expect(await features.register(NAMESPACE, name)).toMatchObject({
      id: `/subscriptions/${SUBSCRIPTION}/providers/Microsoft.Features/providers/${NAMESPACE}/features/${name}`,
      type: 'Microsoft.Features/providers/features',
      name: `${NAMESPACE}/${name}`,
      properties: { state: 'Registering' },
    });
    await expect.poll(state).toBe('Registered');
    expect((await features.register(NAMESPACE, name)).properties?.state).toBe('Registered');
    expect((await features.unregister(NAMESPACE, name)).properties?.state).toBe('Unregistering');
    await expect.poll(state).toBe('Unregistered');
  });

  it('by registrations, which answer differently to a PUT', async () => {
    const { subscriptionFeatureRegistrations: registrations } = client();
    const name = 'StandbyContainerGroupPools';
    const made = await registrations.createOrUpdate(NAMESPACE, name);
    expect(made).toMatchObject({
      name,
      type: 'microsoft.features/featureproviders/subscriptionfeatureregistrations',
      properties: {
        state: 'Registered',
        featureName: name,
        providerNamespace: NAMESPACE,
        approvalType: 'AutoApproval',
      },
    });
    expect(made.properties?.registrationDate).toEqual(expect.any(Date));
    const read = () => registrations.get(NAMESPACE, name);
    expect(await read()).toMatchObject({
      name: `${NAMESPACE}/${name}`,
      type: 'Microsoft.Features/featureProviders/subscriptionFeatureRegistrations',
      properties: { subscriptionId: SUBSCRIPTION, registrationDate: expect.any(Date) },
    });
    const states = (list: readonly { properties?: { state?: string } }[]) => list.map((it) => it.properties?.state);
    const ofProvider = await Array.fromAsync(registrations.listBySubscription(NAMESPACE));
    expect(states(ofProvider).sort()).toEqual(['NotRegistered', 'Registered']);
    const all = await Array.fromAsync(registrations.listAllBySubscription());
    expect(states(all).filter((state) => state === 'Registered')).toHaveLength(1);
    expect(all.length).toBeGreaterThan(ofProvider.length);
    await registrations.delete(NAMESPACE, name);
    await expect.poll(async () => (await read()).properties?.state).toBe('Unregistered');
    expect((await read()).properties).not.toHaveProperty('registrationDate');
    await registrations.delete(NAMESPACE, name);
  });

  it('never, and still has a registration that says so', async () => {
    const one = `${ROOT}/featureProviders/Vendor.Network/subscriptionFeatureRegistrations/AllowLBPreview`;
    const { status, body } = await bench.call('GET', `${one}?${V}`);
    expect(status).toBe(200);
    expect(body.properties).toEqual({
      subscriptionId: SUBSCRIPTION,
      featureName: 'AllowLBPreview',
      providerNamespace: 'Vendor.Network',
      state: 'NotRegistered',
      releaseDate: '2016-08-17T21:39:18.0538346Z',
      approvalType: 'AutoApproval',
      shouldFeatureDisplayInPortal: false,
    });
    expect((await bench.call('DELETE', `${one}?${V}`)).status).toBe(200);
    expect((await bench.call('GET', `${one}?${V}`)).body.properties.state).toBe('NotRegistered');
  });

  it('and waits if the provider has to approve', async () => {
    const { features } = client();
    expect((await features.register(NAMESPACE, 'ConfidentialContainers')).properties?.state).toBe('Pending');
    expect((await features.register(NAMESPACE, 'confidentialcontainers')).properties?.state).toBe('Pending');
    await features.unregister(NAMESPACE, 'ConfidentialContainers');
  });
});

onAnyStore('features', (bench) => {
  describe('refuse', () => {
    it.each([
      [
        'a feature that does not exist',
        'POST',
        'providers/Vendor.EventGrid/features/None/register',
        V,
        404,
        'FeatureNotFound',
      ],
      ['a provider that does not exist', 'GET', 'providers/Vendor.None/features', V, 404, 'InvalidResourceNamespace'],
      [
        'registrations in a version before them',
        'GET',
        'featureProviders/Vendor.EventGrid/subscriptionFeatureRegistrations/PartnerTopics',
        'api-version=2015-12-01',
        400,
        'NoRegisteredProviderFound',
      ],
    ])('%s', async (_what, method, path, version, status, code) => {
      const reply = await bench.call(method, `${ROOT}/${path}?${version}`);
      expect({ status: reply.status, code: reply.body?.error?.code }).toEqual({ status, code });
    });

    it('readers who register', async () => {
      const token = await bench.jar.token({ user: 'no-job-queue' });
      const one = `${ROOT}/providers/Vendor.EventGrid/features/PartnerTopics`;
      expect((await bench.call('POST', `${one}/register?${V}`, { token })).status).toBe(403);
      expect((await bench.call('GET', `${one}?${V}`, { token })).body.properties.state).toBe('NotRegistered');
    });
  });
});
