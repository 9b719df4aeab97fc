import { allOf, eq, type Tx } from '../../../../../kernel/store/index.ts';
import { isObject } from '../../../../../kernel/values/index.ts';
import { Sent } from '../../../engine/sent.ts';
import { errors } from '../../../errors.ts';
import { callerIdentity, type PlatformCall } from '../../../jar.ts';
import { freeCount, takeCount } from '../../../limits/take.ts';
import { type Chain, metastoreOf } from '../../core/chain.ts';
import { type SharedObject, sharedKey, sharedObjects } from '../collections.ts';
import { SHARED_ROWS } from './counts.ts';
import { aliasOf, findShared, readDataObject, type SentObject } from './data-object.ts';

/** The quotas allow up to 5,600 objects; each update needs a lookup. */
const MOST_UPDATES = 1000;

type Action = 'ADD' | 'REMOVE' | 'UPDATE';

/** Applies the updates in a body to a share, in order, all or nothing. */
export async function updateObjects(tx: Tx, call: PlatformCall, share: Chain, body: unknown): Promise<void> {
  const updates = new Sent(body).list('updates') ?? [];
  if (updates.length > MOST_UPDATES)
    throw errors.INVALID_PARAMETER_VALUE({ reason: `The field 'updates' must have at most ${MOST_UPDATES} entries.` });
  for (const [index, update] of updates.entries()) {
    const action = update.word('action', ['ADD', 'REMOVE', 'UPDATE']);
    if (action === undefined) throw errors.INVALID_PARAMETER_VALUE__MissingField({ field: `updates[${index}].action` });
    await apply(tx, call, share, action, readDataObject(objectIn(body, index)));
  }
}

function objectIn(body: unknown, index: number): unknown {
  const updates = isObject(body) ? body.updates : undefined;
  const update = Array.isArray(updates) ? updates[index] : undefined;
  return (isObject(update) ? update.data_object : undefined) ?? {};
}

async function apply(tx: Tx, call: PlatformCall, share: Chain, action: Action, sent: SentObject): Promise<void> {
  const { id, metastore } = share.target;
  const key = sharedKey({ share: id, type: sent.type, name: sent.name });
  const before = (await tx.get(sharedObjects, key))?.value;
  const count = { row: SHARED_ROWS[sent.type], scope: [metastore, id] };
  const what = `${sent.type} '${sent.name.slice(0, 300)}'`;
  if (action === 'ADD' && before)
    throw errors.RESOURCE_ALREADY_EXISTS({ reason: `The share '${share.target.name}' already has the ${what}.` });
  if (action !== 'ADD' && !before)
    throw errors.RESOURCE_DOES_NOT_EXIST({ reason: `The share '${share.target.name}' does not have the ${what}.` });
  if (action === 'REMOVE') {
    await tx.delete(sharedObjects, key);
    return freeCount(tx, call.jar, count);
  }
  if (action === 'ADD') await takeCount(tx, call.jar, count);
  const after = await drawn(tx, call, share, sent, before);
  if (after.sharedAs !== before?.sharedAs) await refuseTaken(tx, share, after);
  await tx.put(sharedObjects, key, after);
}

async function drawn(
  tx: Tx,
  call: PlatformCall,
  share: Chain,
  sent: SentObject,
  before: SharedObject | undefined,
): Promise<SharedObject> {
  const fields = { ...before?.fields, ...sent.fields };
  const found = await findShared(tx, call, metastoreOf(share), { ...sent, fields });
  return {
    share: share.target.id,
    type: sent.type,
    name: sent.name,
    sharedAs: sent.alias === undefined && before ? before.sharedAs : aliasOf(sent, found),
    ...(found && { securable: found.target.id }),
    addedAt: before?.addedAt ?? call.jar.clock.now(),
    addedBy: before?.addedBy ?? callerIdentity(call).principal.id,
    fields,
  };
}

/** Objects that count towards the same quota must have different names in the share. */
async function refuseTaken(tx: Tx, share: Chain, { sharedAs, type, name }: SharedObject): Promise<void> {
  const filter = allOf(eq('share', share.target.id), eq('sharedAs', sharedAs));
  const { items } = await tx.query(sharedObjects, { filter, limit: 10 });
  const other = items.find(({ value }) => SHARED_ROWS[value.type] === SHARED_ROWS[type] && value.name !== name);
  if (!other) return;
  throw errors.INVALID_PARAMETER_VALUE({
    reason: `The name '${sharedAs}' is taken in the share '${share.target.name}' by the ${other.value.type} '${other.value.name}'.`,
  });
}
