import { uuid } from '../../../../kernel/ids/index.ts';
import type { Tx } from '../../../../kernel/store/index.ts';
import type { Json } from '../../../../kernel/values/index.ts';
import { checkMask, isWhole, maskedFields, readMask } from '../../engine/mask.ts';
import { Sent } from '../../engine/sent.ts';
import { errors } from '../../errors.ts';
import { callerIdentity, type PlatformCall } from '../../jar.ts';
import { metastoreIn, metastoreNow } from '../core/metastore.ts';
import { membersOf, textsIn } from '../core/texts.ts';
import { columnNames } from '../tags/entities.ts';
import { type ColumnPair, type LineageRelation, lineageRelations, objectKey, relationKey } from './collections.ts';
import { type Resolved, requireShown, requireWritten, resolveObject } from './objects.ts';

const MOST_COLUMNS = 1000;
const LONGEST_COLUMN = 255;

export interface Related {
  readonly relation: LineageRelation;
  readonly source: Resolved;
  readonly target: Resolved;
}

interface Ends {
  readonly metastore: string;
  readonly source: Resolved;
  readonly target: Resolved;
}

/** Runs an action in a transaction, with both ends of the relation that a body names. */
async function between<R>(call: PlatformCall, body: unknown, action: (tx: Tx, ends: Ends) => Promise<R>): Promise<R> {
  const metastore = await metastoreIn(call);
  const sent = new Sent(body);
  return call.jar.store.transact(async (tx) => {
    const now = await metastoreNow(tx, metastore);
    const source = await resolveObject(tx, now, 'source', sent.member('source'));
    const target = await resolveObject(tx, now, 'target', sent.member('target'));
    requireShown(call, source);
    requireWritten(call, target);
    return action(tx, { metastore: now.id, source, target });
  });
}

const keyOf = ({ metastore, source, target }: Ends): string =>
  relationKey({ metastore, source: source.object, target: target.object });

async function columnsIn(tx: Tx, body: unknown, { source, target }: Ends): Promise<readonly ColumnPair[]> {
  const list = new Sent(body).list('columns') ?? [];
  if (list.length > MOST_COLUMNS)
    throw errors.INVALID_PARAMETER_VALUE({ reason: `The field 'columns' must have at most ${MOST_COLUMNS} entries.` });
  if (list.length === 0) return [];
  const columns = { source: await knownColumns(tx, source), target: await knownColumns(tx, target) };
  return list.map((sent) => ({
    source: columnIn(sent.need('source'), source, columns.source),
    target: columnIn(sent.need('target'), target, columns.target),
  }));
}

/** Returns undefined if the columns of an object are not known. */
async function knownColumns(tx: Tx, { object, chain }: Resolved): Promise<ReadonlySet<string> | undefined> {
  if (object.type !== 'table' || !chain) return undefined;
  const names = await columnNames(tx, chain.target);
  return names.size > 0 ? names : undefined;
}

function columnIn(name: string, { object }: Resolved, known: ReadonlySet<string> | undefined): string {
  if (name.length > LONGEST_COLUMN || (known && !known.has(name.toLowerCase())))
    throw errors.INVALID_PARAMETER_VALUE({
      reason: `'${name.slice(0, 100)}' is not a column of ${object.type} '${object.name}'.`,
    });
  return name;
}

const propertiesIn = (body: unknown) =>
  textsIn('properties', membersOf(membersOf(body as Json | undefined).properties ?? undefined));

export const createRelation = (call: PlatformCall): Promise<Related> =>
  between(call, call.body, async (tx, ends) => {
    const { metastore, source, target } = ends;
    if (objectKey(metastore, source.object) === objectKey(metastore, target.object))
      throw errors.INVALID_PARAMETER_VALUE({ reason: 'The source and the target must be different objects.' });
    const key = keyOf(ends);
    await tx.lock(`platform.lineage:${key}`);
    if (await tx.get(lineageRelations, key))
      throw errors.ALREADY_EXISTS({
        reason: `The relationship from '${source.object.name}' to '${target.object.name}' already exists.`,
      });
    const relation: LineageRelation = {
      id: uuid(),
      metastore,
      source: source.object,
      target: target.object,
      columns: await columnsIn(tx, call.body, ends),
      properties: propertiesIn(call.body),
      createdBy: callerIdentity(call).principal.id,
      updatedAt: call.jar.clock.now(),
    };
    await tx.put(lineageRelations, key, relation);
    await recordRelation(tx, call, 'create', relation);
    return { relation, source, target };
  });

async function existing(tx: Tx, ends: Ends): Promise<LineageRelation> {
  const found = await tx.get(lineageRelations, keyOf(ends));
  if (found) return found.value;
  throw errors.RESOURCE_DOES_NOT_EXIST({
    reason: `The relationship from '${ends.source.object.name}' to '${ends.target.object.name}' does not exist.`,
  });
}

const CHANGED = { columns: { type: 'array' }, properties: { type: 'object' } } as const;

export const changeRelation = (call: PlatformCall): Promise<Related> =>
  between(call, call.body, async (tx, ends) => {
    const before = await existing(tx, ends);
    const mask = readMask(call.query.update_mask);
    if (!mask) throw errors.INVALID_PARAMETER_VALUE__MissingField({ field: 'update_mask' });
    checkMask(mask, CHANGED, (name) => ['id', 'source', 'target'].includes(name));
    const named = isWhole(mask) ? Object.keys(CHANGED) : maskedFields(mask);
    const relation: LineageRelation = {
      ...before,
      ...(named.includes('columns') && { columns: await columnsIn(tx, call.body, ends) }),
      ...(named.includes('properties') && { properties: propertiesIn(call.body) }),
      updatedAt: call.jar.clock.now(),
    };
    await tx.put(lineageRelations, keyOf(ends), relation);
    await recordRelation(tx, call, 'update', relation);
    return { relation, source: ends.source, target: ends.target };
  });

export const deleteRelation = (call: PlatformCall, body: unknown): Promise<void> =>
  between(call, body, async (tx, ends) => {
    const relation = await existing(tx, ends);
    await tx.delete(lineageRelations, keyOf(ends));
    await recordRelation(tx, call, 'delete', relation);
  });

const recordRelation = (tx: Tx, { jar }: PlatformCall, kind: string, { id, metastore }: LineageRelation) =>
  tx.change({
    source: 'platform',
    kind,
    subject: `/metastores/${metastore}/lineage/${id}`,
    outcome: 'Succeeded',
    at: jar.clock.now(),
    data: { kind: 'lineage', id },
  });
