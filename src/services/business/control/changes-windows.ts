import { Type } from 'typebox';
import { ok, routeCode } from '../../../kernel/http/route.ts';
import type { Reader } from '../../../kernel/store/types.ts';
import { pagesOf } from '../../../kernel/store/walk.ts';
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

const MOST = 5000;

export const listWindows = routeCode([], {
  responses: { 200: Type.Object({ value: Type.Array(Type.Union([OpenView, HeldView])), isComplete: Type.Boolean() }) },
  async handle({ jar: { store } }) {
    const { all, isComplete } = await pendingOutboxes(store);
    const open = new Map<string, ReturnType<typeof openView>>();
    const held: ReturnType<typeof heldView>[] = [];
    for (const outbox of all) {
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
    const inOrder = [...open.values()].sort((a, b) => (a.closesAt < b.closesAt ? -1 : 1));
    return ok({ value: [...inOrder, ...held], isComplete });
  },
});

async function pendingOutboxes(reader: Reader): Promise<{ all: Outbox[]; isComplete: boolean }> {
  const all: Outbox[] = [];
  for await (const page of pagesOf(reader, outboxes)) {
    if (page.length > 0 && all.length >= MOST) return { all, isComplete: false };
    all.push(...page.map(({ value }) => value));
  }
  return { all, isComplete: true };
}

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
