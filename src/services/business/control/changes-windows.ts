import { Type } from 'typebox';
import { listAnswer, listOf, listQuery, listShape, walkOf } from '../../../kernel/odata/index.ts';
import { routeCode } from '../../../kernel/service/index.ts';
import { pagesOf, type Reader } from '../../../kernel/store/index.ts';
import { type Outbox, outboxes, type Part, type Window, windows } from '../notify/collections.ts';
import { WAITS_FOR } from '../notify/holds.ts';

const Waiting = Type.Object({
  subscription: Type.String(),
  resource: Type.String(),
  entries: Type.Integer(),
  isCollection: Type.Boolean(),
  hasDelete: Type.Boolean(),
  firstChangeAt: Type.String(),
});

const Shared = {
  id: Type.String(),
  tenantId: Type.String(),
  company: Type.String(),
  notificationUrl: Type.String({ description: 'Without its query, which may hold a secret' }),
  subscriptions: Type.Array(Waiting),
};

const OpenView = Type.Object({
  state: Type.Literal('open'),
  ...Shared,
  openedAt: Type.String(),
  openedBy: Type.String(),
  closesAt: Type.String(),
});

const HeldView = Type.Object({ state: Type.Literal('held'), ...Shared, waitsFor: Type.String() });

const Text = { type: 'Edm.String' } as const;
const Instant = { type: 'Edm.DateTimeOffset' } as const;

const shape = listShape<View>('windows', {
  state: Text,
  id: Text,
  tenantId: { ...Text, ignoreCase: true },
  company: Text,
  notificationUrl: Text,
  openedAt: Instant,
  openedBy: Text,
  closesAt: Instant,
  waitsFor: Text,
  subscriptions: {
    type: {
      properties: { subscription: Text, resource: Text, entries: { type: 'Edm.Int64' }, firstChangeAt: Instant },
    },
    collection: true,
  },
});

export const listWindows = routeCode([], {
  query: listQuery(shape),
  responses: { 200: listOf(Type.Union([OpenView, HeldView])) },
  async handle(call) {
    const { store } = call.jar;
    const open = new Map<string, ReturnType<typeof openView>>();
    const held: ReturnType<typeof heldView>[] = [];
    for await (const outbox of pendingOutboxes(store)) {
      const { window, ready } = outbox;
      if (ready) {
        const known = open.get(window)?.subscriptions;
        const stored = known ? undefined : await store.get(windows, window);
        if (stored) open.set(window, openView(stored.value));
        open.get(window)?.subscriptions.push(waiting(outbox, ready));
      }
      for (const hold of ['delegated', 'jobs'] as const) {
        const part = outbox[hold];
        if (part) held.push(heldView(outbox, part, WAITS_FOR[hold]));
      }
    }
    const items = [
      ...[...open.values()].map((view) => ({ key: `open ${view.closesAt} ${view.id}`, value: view })),
      // Listed after the open windows.
      ...held.map((view) => ({ key: `waiting ${view.id}`, value: view })),
    ];
    return listAnswer(call, { shape, walk: walkOf<View>(items), view: ({ value }) => value });
  },
});

/** A subscription has at most one outbox. */
async function* pendingOutboxes(reader: Reader): AsyncGenerator<Outbox> {
  for await (const page of pagesOf(reader, outboxes)) for (const { value } of page) yield value;
}

type View = ReturnType<typeof openView> | ReturnType<typeof heldView>;
type WaitingView = ReturnType<typeof waiting>;

function openView({ id, tenantId, companyName, shownUrl, openedAt, openedBy, closesAt }: Window) {
  return {
    state: 'open' as const,
    id,
    tenantId,
    company: companyName,
    notificationUrl: shownUrl,
    subscriptions: [] as WaitingView[],
    openedAt: new Date(openedAt).toISOString(),
    openedBy,
    closesAt: new Date(closesAt).toISOString(),
  };
}

function heldView(outbox: Outbox, part: Part, waitsFor: string) {
  return {
    state: 'held' as const,
    id: part.id,
    tenantId: outbox.tenantId,
    company: outbox.target.companyName,
    notificationUrl: outbox.shownUrl,
    subscriptions: [waiting(outbox, part)],
    waitsFor,
  };
}

const waiting = ({ subscriptionId, resource }: Outbox, { count, isCollection, hasDelete, firstAt }: Part) => ({
  subscription: subscriptionId,
  resource,
  entries: count,
  isCollection,
  hasDelete,
  firstChangeAt: new Date(firstAt).toISOString(),
});
