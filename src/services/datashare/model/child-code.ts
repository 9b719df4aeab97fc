import { type TSchema, Type } from 'typebox';
import {
  type AnyArmCode,
  type ArmFacts,
  armFacts,
  listPageOf,
  mutate,
  originOf,
  recordOutcome,
  systemDataAfter,
} from '../../../kernel/arm/index.ts';
import { ApiError, created, noContent, ok } from '../../../kernel/http/index.ts';
import { uuid } from '../../../kernel/ids/index.ts';
import { LIST_QUERY } from '../../../kernel/odata/index.ts';
import type { Tx } from '../../../kernel/store/index.ts';
import { type Owned, ownedKey } from '../collections.ts';
import { dataShareErrors } from '../errors.ts';
import { armCode, type DataShareJar } from '../jar.ts';
import { type ChildCall, type ChildKind, type ChildWriting, childView, type Parent, segmentOf } from './child.ts';
import { cachedReader } from './places.ts';
import { freeUnit, type QuotaUse, quotaHeader, takeUnit } from './quota-header.ts';

/** Operations that all kinds of children implement in the same way. */

const NAME = /^[^<>%&:\\?/#*$^();,|+={}[\]!~@"'`\p{C}]{1,90}$/u;
const NAME_RULE =
  'it must be 1 to 90 characters, without control characters, slashes, quotes and other characters reserved in URLs';

export function checkedName(name: string): string {
  if (NAME.test(name) && name.trim() === name && name !== '.' && name !== '..') return name;
  throw dataShareErrors.InvalidName({ name: name.slice(0, 100), reason: NAME_RULE }, { target: 'name' });
}

const nameIn = <D extends Owned, P extends Parent>({ params }: ChildKind<D, P>, call: ChildCall): string =>
  call.params[params.at(-1) as string] ?? '';

/** The parent named in the path. */
const parentOf = <D extends Owned, P extends Parent>(
  kind: ChildKind<D, P>,
  reader: Parameters<ChildKind<D, P>['findParent']>[0],
  call: ChildCall,
  arm: ArmFacts,
  // The call's parameters are those of the kind's own path.
): Promise<P> => kind.findParent(reader, arm, call.params as never, 'share');

async function shownOne<D extends Owned, P extends Parent>(
  kind: ChildKind<D, P>,
  document: D,
  jar: DataShareJar,
): Promise<Readonly<Record<string, unknown>>> {
  const [shown] = kind.showAll ? await kind.showAll([document], cachedReader(jar.store)) : [];
  return shown ?? kind.show(document);
}

export function putCode<D extends Owned, P extends Parent, Prepared>(
  kind: ChildKind<D, P>,
  writing: ChildWriting<D, P, Prepared>,
): AnyArmCode {
  return armCode(kind.params, {
    body: writing.body as TSchema,
    responses: { 200: 'Updated', 201: 'Created' },
    async handle(call: ChildCall, arm) {
      const name = checkedName(nameIn(kind, call));
      const prepared = await writing.prepare(call, arm);
      const origin = originOf(call);
      const { jar } = call;
      const outcome = await jar.store.transact(async (tx) => {
        const parent = await parentOf(kind, tx, call, arm);
        const key = ownedKey(parent.uid, name);
        const existing = await heldChild(tx, kind, key);
        const id = existing?.id ?? `${parent.id}/${segmentOf(kind)}/${name}`;
        const counted = { scope: parent.uid, owner: parent.id, target: id };
        const standing = await takeUnit(tx, jar, kind.quota, counted, !existing);
        const now = jar.clock.now();
        const document = await writing.write({
          tx,
          call,
          arm,
          key,
          parent,
          existing,
          prepared,
          now,
          origin,
          uid: existing?.uid ?? uuid(),
          id,
          name: existing?.name ?? name,
          createdAt: existing?.createdAt ?? now,
          systemData: systemDataAfter(call, existing?.systemData),
        });
        await tx.put(kind.collection, key, document);
        if (!writing.continuesAfterResponse) await recordOutcome(tx, origin, now, 'Succeeded');
        return { document, standing, isNew: existing === undefined };
      });
      armFacts(call).recorded = true;
      const { document, standing, isNew } = outcome;
      const view = childView(kind, document, await shownOne(kind, document, jar), arm.prefix);
      const headers = quotaHeader(standing, arm.prefix);
      if (!isNew) return ok(view, headers);
      const location = writing.location?.(call, document);
      return created(view, { ...headers, ...(location !== undefined && { location }) });
    },
  });
}

/** Reads the document and locks its key until the transaction ends, even if the document does not exist yet. */
async function heldChild<D extends Owned, P extends Parent>(
  tx: Tx,
  { collection }: ChildKind<D, P>,
  key: string,
): Promise<D | undefined> {
  const stored = await tx.get(collection, key);
  if (stored) return stored.value;
  await tx.lock(`${collection.name}:${key}`);
  return (await tx.get(collection, key))?.value;
}

export function getCode<D extends Owned, P extends Parent>(kind: ChildKind<D, P>): AnyArmCode {
  return armCode(kind.params, {
    async handle(call: ChildCall, arm) {
      const reader = cachedReader(call.jar.store);
      const parent = await parentOf(kind, reader, call, arm);
      const name = nameIn(kind, call);
      const stored = await reader.get(kind.collection, ownedKey(parent.uid, name));
      if (!stored) throw kind.notFound(name, parent);
      return ok(childView(kind, stored.value, await shownOne(kind, stored.value, call.jar), arm.prefix));
    },
  });
}

export function listCode<D extends Owned, P extends Parent>(kind: ChildKind<D, P>): AnyArmCode {
  return armCode(kind.params.slice(0, -1), {
    query: Type.Object(LIST_QUERY),
    async handle(call: ChildCall, arm) {
      const { store } = call.jar;
      const parent = await parentOf(kind, cachedReader(store), call, arm);
      const source = { prefix: `${parent.uid}/`, order: [{ field: 'name' }], ...(kind.shape && { shape: kind.shape }) };
      return listPageOf(call, kind.collection, source, async (documents) => {
        const shown = kind.showAll ? await kind.showAll(documents, cachedReader(store)) : documents.map(kind.show);
        return documents.map((document, i) => childView(kind, document, shown[i] ?? {}, arm.prefix));
      });
    },
  });
}

type OnRemove<D> = (tx: Tx, document: D, jar: DataShareJar) => Promise<void>;

/** DELETE of a child without contents: 200, or 204 if it does not exist. */
export function removeCode<D extends Owned, P extends Parent>(
  kind: ChildKind<D, P>,
  onRemove: OnRemove<D> = async () => {},
): AnyArmCode {
  return armCode(kind.params, {
    responses: { 200: 'Deleted', 204: 'The resource does not exist' },
    async handle(call: ChildCall, arm) {
      const removed = await mutate(call, (tx) => removeChild(tx, kind, call, arm, onRemove));
      return removed ? { status: 200, headers: quotaHeader(removed.standing, arm.prefix) } : noContent();
    },
  });
}

export interface Removed<D> {
  readonly document: D;
  readonly standing: QuotaUse;
}

/** Returns undefined if the child or its parent does not exist. */
export async function removeChild<D extends Owned, P extends Parent>(
  tx: Tx,
  kind: ChildKind<D, P>,
  call: ChildCall,
  arm: ArmFacts,
  onRemove: OnRemove<D>,
): Promise<Removed<D> | undefined> {
  const parent = await orNone(parentOf(kind, tx, call, arm));
  if (!parent) return undefined;
  const key = ownedKey(parent.uid, nameIn(kind, call));
  const stored = await tx.get(kind.collection, key);
  if (!stored) return undefined;
  await onRemove(tx, stored.value, call.jar);
  await tx.delete(kind.collection, key);
  const standing = await freeUnit(tx, call.jar, kind.quota, { scope: parent.uid, target: stored.value.id });
  return { document: stored.value, standing };
}

async function orNone<T>(found: Promise<T>): Promise<T | undefined> {
  try {
    return await found;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return undefined;
    throw error;
  }
}
