import { ok } from '../../../kernel/http/index.ts';
import type { Jar } from '../../../kernel/service/index.ts';
import type { Tx } from '../../../kernel/store/index.ts';
import { appOf } from '../access/access.ts';
import { routeCode } from '../jar.ts';
import { EVENT_NAMES } from '../limits.ts';
import { type EventDefinition, eventDefinitions } from './collections.ts';
import { definitionKey, newCountedAs } from './record-events.ts';

/**
 * Deletes an event's definition: its counts become unreachable at once, however many there are, and expire with their days. Deleting an
 * unknown event is not an error.
 */

export const eventsDelete = routeCode(['event_name'], {
  responses: { 200: 'Deleted; if the event occurs again, it is a new event' },
  async handle(call) {
    const { jar, params } = call;
    const appId = appOf(call).id;
    await change(jar, appId, params.event_name, 'delete', async (tx, key) => {
      await tx.delete(eventDefinitions, key);
      await jar.limits.freeQuota(tx, { limit: EVENT_NAMES, scope: [appId] });
    });
    return ok({});
  },
});

export const eventsDeleteLogs = routeCode(['event_name'], {
  responses: { 200: 'The event remains defined, with its counts reset' },
  async handle(call) {
    await change(call.jar, appOf(call).id, call.params.event_name, 'action', async (tx, key, known) => {
      await tx.put(eventDefinitions, key, { ...known, countedAs: newCountedAs(), properties: [] });
    });
    return ok({});
  },
});

function change(
  { store, clock }: Jar,
  appId: string,
  name: string,
  kind: 'delete' | 'action',
  forget: (tx: Tx, key: string, known: EventDefinition) => Promise<void>,
): Promise<void> {
  const key = definitionKey(appId, name);
  const at = clock.now();
  return store.transact(async (tx) => {
    const known = await tx.get(eventDefinitions, key);
    if (!known) return;
    await forget(tx, key, known.value);
    const subject = `lifecycle/apps/${appId}/events/${known.value.id}`;
    await tx.change({ source: 'lifecycle', kind, subject, outcome: 'Succeeded', at, data: { name } });
  });
}
