import { Type } from 'typebox';
import { noContent, ok } from '../../../kernel/http/index.ts';
import type { Jar } from '../../../kernel/service/index.ts';
import { eq, readAll } from '../../../kernel/store/index.ts';
import { appOf, orgOf, userOf } from '../access/access.ts';
import { recordChange } from '../accounts/changes.ts';
import { holdApp } from '../apps/current-rights.ts';
import { LinkedSubscription, linkedView } from '../apps/shape.ts';
import { type App, apps } from '../collections.ts';
import { errors } from '../errors.ts';
import { routeCode } from '../jar.ts';

const UUID = '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$';

/** The subscriptions of all apps of an owner, without duplicates. */
async function linkedOf(jar: Jar, ownerId: string) {
  const owned = await readAll(jar.store, apps, { filter: eq('ownerId', ownerId) });
  const ids = new Set(owned.flatMap(({ value }) => value.subscriptionId ?? []));
  return [...ids].sort().map((id) => linkedView(id));
}

export const listForUser = routeCode([], {
  responses: { 200: Type.Array(LinkedSubscription) },
  handle: async (call) => ok(await linkedOf(call.jar, userOf(call).id)),
});

export const listForOrg = routeCode([], {
  responses: { 200: Type.Array(LinkedSubscription) },
  handle: async (call) => ok(await linkedOf(call.jar, orgOf(call).id)),
});

export const listForApp = routeCode([], {
  responses: { 200: Type.Array(LinkedSubscription) },
  handle(call) {
    const { subscriptionId } = appOf(call);
    return ok(subscriptionId === undefined ? [] : [linkedView(subscriptionId)]);
  },
});

/** The subscription's existence is not checked: services do not read each other. */
export const linkApp = routeCode([], {
  body: Type.Object({ subscription_id: Type.String({ pattern: UUID }) }),
  responses: { 204: 'Linked' },
  async handle(call) {
    const { jar, body } = call;
    const subscriptionId = body.subscription_id.toLowerCase();
    await jar.store.transact(async (tx) => {
      const { app } = await holdApp(tx, call, 'manager');
      if (app.subscriptionId === subscriptionId) return;
      if (app.subscriptionId !== undefined) {
        const reason = `The app is linked to the subscription '${app.subscriptionId}': remove that link first.`;
        throw errors.Conflict({ reason });
      }
      await tx.put(apps, app.id, { ...app, subscriptionId });
      await recordChange(tx, jar, 'write', `lifecycle/apps/${app.id}/azure_subscriptions/${subscriptionId}`);
    });
    return noContent();
  },
});

export const unlinkApp = routeCode(['azure_subscription_id'], {
  responses: { 204: 'Ended' },
  async handle(call) {
    const { jar, params } = call;
    const wanted = params.azure_subscription_id.toLowerCase();
    await jar.store.transact(async (tx) => {
      const { app } = await holdApp(tx, call, 'manager');
      const { subscriptionId, ...unlinked }: App = app;
      if (subscriptionId !== wanted) {
        throw errors.NotFound({ reason: `The app is not linked to a subscription '${wanted.slice(0, 100)}'.` });
      }
      await tx.put(apps, app.id, unlinked);
      await recordChange(tx, jar, 'delete', `lifecycle/apps/${app.id}/azure_subscriptions/${subscriptionId}`);
    });
    return noContent();
  },
});
