import { beforeEach, expect, it } from 'vitest';
import { readChanges } from '../../../support/changes.ts';
import { onBothStores } from '../benches.ts';
import { control, openWebhooks, type Webhooks } from './support.ts';

onBothStores('webhook subscriptions in the control API', (bench) => {
  let hooks: Webhooks;
  beforeEach(async () => {
    hooks ??= await openWebhooks(bench);
  });
  const one = (id: string) => control(bench, 'GET', `business/subscriptions/${id}`);

  it('are listed for all tenants, with counts and without secrets', async () => {
    const url = `${hooks.inbox('listed')}?code=hidden`;
    const { body: made } = await hooks.subscribe({
      notificationUrl: url,
      resource: hooks.resource('customers'),
      clientState: 'confidential',
    });
    const others = await openWebhooks(bench, 'v1.0', await bench.jar.token({ user: 'other', ttl: '365d' }));
    await others.make('items', 'listed');
    const { status, body, text } = await control(bench, 'GET', 'business/subscriptions');
    expect(status).toBe(200);
    expect(body.counts).toEqual({
      live: 2,
      removed: { deleted: 0, expired: 0, refused: 0, undeliverable: 0, obsolete: 0 },
    });
    expect(body.value).toHaveLength(2);
    expect(text).not.toMatch(/hidden|confidential/);
    expect(body.value).toContainEqual({
      state: 'live',
      subscriptionId: made.subscriptionId,
      tenantId: expect.any(String),
      resource: made.resource,
      api: 'v2.0',
      set: 'customers',
      company: { id: hooks.companyId, name: expect.any(String) },
      notificationUrl: hooks.inbox('listed'),
      userId: made.userId,
      flow: false,
      createdAt: made.systemCreatedAt,
      modifiedAt: made.lastModifiedDateTime,
      expirationDateTime: made.expirationDateTime,
    });
    const first = await control(bench, 'GET', 'business/subscriptions?$top=1');
    const headers = { authorization: `Bearer ${bench.jar.adminKey}` };
    const next = await bench.call('GET', first.body.nextLink, { token: null, headers });
    const ids = [...first.body.value, ...next.body.value].map(({ subscriptionId }) => subscriptionId);
    expect(new Set(ids).size).toBe(2);
    const ours = await control(bench, 'GET', 'business/subscriptions?resource=customers');
    expect(ours.body.value).toHaveLength(1);
  });

  it('are shown when they are removed, the latest first', async () => {
    const [early, late] = [await hooks.make('items', 'gone'), await hooks.make('vendors', 'gone')];
    await hooks.remove(early.subscriptionId);
    await bench.jar.clock.advance('1s');
    await hooks.remove(late.subscriptionId);
    const { body } = await control(bench, 'GET', 'business/subscriptions/removed?$top=2');
    expect(body.value.map(({ subscriptionId }: { subscriptionId: string }) => subscriptionId)).toEqual([
      late.subscriptionId,
      early.subscriptionId,
    ]);
    expect((await one(late.subscriptionId)).body).toMatchObject({
      state: 'removed',
      reason: 'deleted',
      detail: expect.stringMatching(/^It was deleted by '.+'\.$/),
      resource: late.resource,
    });
  });

  it('are marked as those of a flow, by the user agent or afterwards', async () => {
    const plain = await hooks.make('items', 'flow');
    expect((await one(plain.subscriptionId)).body.flow).toBe(false);
    const mark = (flow: boolean) => control(bench, 'PATCH', `business/subscriptions/${plain.subscriptionId}`, { flow });
    expect((await mark(true)).body.flow).toBe(true);
    expect((await one(plain.subscriptionId)).body.flow).toBe(true);
    await hooks.renew(plain.subscriptionId);
    expect((await one(plain.subscriptionId)).body.flow).toBe(true);
    expect((await mark(false)).body.flow).toBe(false);
    const body = { notificationUrl: hooks.inbox('flow'), resource: hooks.resource('items') };
    const agent = { headers: { 'user-agent': 'azure-logic-apps/1.0 (workflow 1)' } };
    const { body: made } = await hooks.subscribe(body, agent);
    expect((await one(made.subscriptionId)).body.flow).toBe(true);
  });

  it('are not found by an id that never existed, and not marked when they are removed', async () => {
    const unknown = await one('0123456789abcdef0123456789abcdef');
    expect([unknown.status, unknown.body.error.code]).toEqual([404, 'NoSuchSubscription']);
    const { subscriptionId } = await hooks.make('items', 'unmarked');
    await hooks.remove(subscriptionId);
    const late = await control(bench, 'PATCH', `business/subscriptions/${subscriptionId}`, { flow: true });
    expect([late.status, late.body.error.code]).toEqual([409, 'SubscriptionRemoved']);
    const wrong = await control(bench, 'GET', 'business/subscriptions?$skiptoken=nonsense');
    expect([wrong.status, wrong.body.error.code]).toEqual([400, 'BadSkipToken']);
  });

  it('appear on the change feed, with what happened to them', async () => {
    const made = await hooks.make('items', 'feed');
    await hooks.renew(made.subscriptionId);
    await hooks.remove(made.subscriptionId);
    const subject = `subscriptions('${made.subscriptionId}')`;
    const told = (changes: readonly { subject: string; kind: string }[]) =>
      changes.filter((change) => change.subject === subject).map(({ kind }) => kind);
    const changes = await readChanges(bench.jar, (all) => told(all).length >= 3);
    expect(told(changes)).toEqual(['subscription-created', 'subscription-renewed', 'subscription-removed']);
    expect(changes.findLast((change) => change.subject === subject)?.data).toMatchObject({
      resource: made.resource,
      reason: 'deleted',
    });
  });

  it('are neither created nor renewed in a shared transaction, but can be deleted there', async () => {
    const made = await hooks.make('items', 'shared');
    const batch = (requests: object[]) =>
      bench.call('POST', '/api/v2.0/$batch', {
        body: { requests },
        headers: { accept: 'application/json', isolation: 'snapshot' },
      });
    const url = `subscriptions('${made.subscriptionId}')`;
    const json = { 'content-type': 'application/json', 'if-match': '*' };
    for (const request of [
      { id: '1', method: 'PATCH', url, headers: json, body: {} },
      {
        id: '1',
        method: 'POST',
        url: 'subscriptions',
        headers: json,
        body: { notificationUrl: made.notificationUrl, resource: made.resource },
      },
    ]) {
      const { body } = await batch([request]);
      expect(body.responses[0]).toMatchObject({
        status: 400,
        body: { error: { code: 'Application_CallbackNotAllowed' } },
      });
    }
    const { body } = await batch([{ id: '1', method: 'DELETE', url }]);
    expect(body.responses[0].status).toBe(204);
    expect((await hooks.read(made.subscriptionId)).status).toBe(404);
  });
});
