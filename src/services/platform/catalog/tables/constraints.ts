import { pagesOf, type Reader, type Tx } from '../../../../kernel/store/index.ts';
import { isList, type JsonList, type JsonMembers } from '../../../../kernel/values/index.ts';
import type { Sent } from '../../engine/sent.ts';
import { errors } from '../../errors.ts';
import { type Actor, callerIdentity } from '../../jar.ts';
import { requireManager, requirePrivilege, requireReachable } from '../core/access.ts';
import { type Chain, chainById, findChain, fullNameOf, metastoreOf } from '../core/chain.ts';
import { record } from '../core/operations.ts';
import { keyOf, type Securable, securables } from '../core/securables.ts';
import { referenceKey, tableReferences } from './collections.ts';
import { columnsOf } from './column-store.ts';

/** Constraints of tables: records for clients and optimisers; rows are not checked against them. */

const MOST_CONSTRAINTS = 200;
const MOST_COLUMNS = 100;
const MOST_NAME = 255;

/** As stored with the table. A foreign key names its parent by id, so that it survives renames. */
interface Constraint {
  readonly kind: 'primary' | 'foreign' | 'named';
  readonly name: string;
  readonly columns?: readonly string[];
  readonly rely?: boolean;
  readonly timeseries?: readonly string[];
  readonly parent?: string;
  readonly parentColumns?: readonly string[];
}

export const constraintsOf = ({ extra }: Pick<Securable, 'extra'>): readonly Constraint[] => {
  const list = extra?.constraints;
  // Only `putConstraints` writes it.
  return isList(list) ? (list as readonly JsonMembers[] as readonly (JsonMembers & Constraint)[]) : [];
};

/** The constraint in a body: exactly one of the three kinds. */
export function readConstraint(sent: Sent): Constraint & { readonly parentTable?: string } {
  const [primary, foreign, named] = [
    sent.member('primary_key_constraint'),
    sent.member('foreign_key_constraint'),
    sent.member('named_table_constraint'),
  ];
  if ([primary, foreign, named].filter(Boolean).length !== 1)
    throw invalid(
      'A constraint must have exactly one of primary_key_constraint, foreign_key_constraint and named_table_constraint.',
    );
  if (named) return { kind: 'named', name: nameIn(named) };
  const key = (primary ?? foreign) as Sent;
  const rely = key.flag('rely');
  const common = { name: nameIn(key), columns: columnsIn(key, 'child_columns'), ...(rely !== undefined && { rely }) };
  if (primary) {
    const timeseries = primary.texts('timeseries_columns');
    return { kind: 'primary', ...common, ...(timeseries && { timeseries }) };
  }
  return {
    kind: 'foreign',
    ...common,
    parentTable: key.need('parent_table'),
    parentColumns: columnsIn(key, 'parent_columns'),
  };
}

function nameIn(sent: Sent): string {
  const name = sent.need('name');
  if (name.length > MOST_NAME) throw invalid(`The name of a constraint must have at most ${MOST_NAME} characters.`);
  return name;
}

function columnsIn(sent: Sent, field: string): readonly string[] {
  const columns = sent.texts(field);
  if (!columns || columns.length === 0) throw errors.INVALID_PARAMETER_VALUE__MissingField({ field });
  if (columns.length > MOST_COLUMNS) throw invalid(`The field '${field}' must have at most ${MOST_COLUMNS} columns.`);
  if (new Set(columns.map((each) => each.toLowerCase())).size < columns.length)
    throw invalid(`${field} names a column twice.`);
  return columns;
}

/** Adds a constraint to a table that the transaction has read with the lock `update`. */
export async function addConstraint(
  tx: Tx,
  call: Actor,
  found: Chain,
  { parentTable, ...constraint }: ReturnType<typeof readConstraint>,
): Promise<Constraint> {
  requireManager(call, found);
  requireReachable(call, found, { writes: true });
  const existing = await withLiveParents(tx, constraintsOf(found.target));
  if (existing.length >= MOST_CONSTRAINTS) throw invalid(`A table can have at most ${MOST_CONSTRAINTS} constraints.`);
  if (existing.some(({ name }) => same(name, constraint.name)))
    throw errors.RESOURCE_ALREADY_EXISTS({
      reason: `Constraint '${constraint.name}' already exists on table '${fullNameOf(found)}'.`,
    });
  const columns = await columnsOf(tx, found.target);
  for (const name of [...(constraint.columns ?? []), ...(constraint.timeseries ?? [])]) {
    const column = columns.find((each) => same(each.name, name));
    if (!column) throw invalid(`The table '${fullNameOf(found)}' has no column '${name.slice(0, 255)}'.`);
    if (constraint.kind === 'primary' && column.nullable)
      throw invalid(
        `Cannot create the primary key '${constraint.name}' because its child column '${column.name}' is nullable.`,
      );
  }
  if (constraint.kind === 'primary' && existing.some(({ kind }) => kind === 'primary'))
    throw invalid(`The table '${fullNameOf(found)}' already has a primary key.`);
  const added = parentTable === undefined ? constraint : await referring(tx, call, found, constraint, parentTable);
  await putConstraints(tx, call, found, [...existing, added]);
  return added;
}

/** Drops foreign keys whose parent is gone; they are not shown either. */
async function withLiveParents(reader: Reader, constraints: readonly Constraint[]): Promise<readonly Constraint[]> {
  const kept: Constraint[] = [];
  for (const each of constraints)
    if (each.kind !== 'foreign' || (await chainById(reader, each.parent ?? ''))) kept.push(each);
  return kept;
}

/** Resolves the parent of a foreign key, whose primary key it must name. */
async function referring(
  tx: Tx,
  call: Actor,
  found: Chain,
  constraint: Constraint,
  parentTable: string,
): Promise<Constraint> {
  const parent =
    parentTable.toLowerCase() === fullNameOf(found)
      ? found
      : await findChain(tx, metastoreOf(found), 'table', parentTable, { lock: 'share' });
  if (parent !== found) requirePrivilege(call, parent, 'SELECT');
  const key = constraintsOf(parent.target).find(({ kind }) => kind === 'primary');
  const { columns = [], parentColumns = [] } = constraint;
  const isKey =
    key?.columns?.length === parentColumns.length &&
    key.columns.every((name, index) => same(name, parentColumns[index] ?? ''));
  if (!isKey) throw invalid(`parent_columns must be the primary key of the table '${fullNameOf(parent)}'.`);
  if (columns.length !== parentColumns.length)
    throw invalid('child_columns and parent_columns must have the same number of columns.');
  const { id } = parent.target;
  const reference = { parent: id, child: found.target.id, constraint: constraint.name };
  await tx.put(tableReferences, referenceKey(id, found.target.id, constraint.name), reference);
  return { ...constraint, parent: id };
}

/** Removes a constraint. With `cascade`, the foreign keys that refer to a removed primary key are removed too. */
export async function dropConstraint(tx: Tx, call: Actor, found: Chain, name: string, cascade: boolean): Promise<void> {
  requireManager(call, found);
  requireReachable(call, found, { writes: true });
  const existing = constraintsOf(found.target);
  const constraint = existing.find((each) => same(each.name, name));
  if (!constraint)
    throw errors.RESOURCE_DOES_NOT_EXIST({
      reason: `Constraint '${name.slice(0, 255)}' does not exist on table '${fullNameOf(found)}'.`,
    });
  const { id } = found.target;
  let kept: readonly Constraint[] = existing.filter((each) => each !== constraint);
  if (constraint.kind === 'foreign') await tx.delete(tableReferences, referenceKey(constraint.parent ?? '', id, name));
  if (constraint.kind === 'primary') kept = await dropReferences(tx, call, found, kept, cascade);
  await putConstraints(tx, call, found, kept);
}

/** Removes foreign keys that refer to a table from their tables. Returns the remaining constraints of the table itself. */
async function dropReferences(
  tx: Tx,
  call: Actor,
  found: Chain,
  own: readonly Constraint[],
  cascade: boolean,
): Promise<readonly Constraint[]> {
  let kept = own;
  const { id } = found.target;
  for await (const page of pagesOf(tx, tableReferences, { prefix: referenceKey(id) }))
    for (const { key, value } of page) {
      const child = value.child === id ? found : await chainById(tx, value.child);
      // The referring table is gone, and its references are being removed with it.
      if (!child) continue;
      if (!cascade)
        throw invalid(
          `The primary key cannot be dropped: the foreign key '${value.constraint}' of the table '${fullNameOf(child)}' refers to it. Use cascade=true to drop both.`,
        );
      await tx.delete(tableReferences, key);
      const isOther = (each: Constraint): boolean => !same(each.name, value.constraint);
      if (value.child === id) kept = kept.filter(isOther);
      else {
        const target = (await tx.get(securables, keyOf(child.target)))?.value;
        if (target) await putConstraints(tx, call, { ...child, target }, constraintsOf(target).filter(isOther));
      }
    }
  return kept;
}

async function putConstraints(tx: Tx, call: Actor, chain: Chain, constraints: readonly Constraint[]): Promise<void> {
  const target: Securable = {
    ...chain.target,
    extra: { ...chain.target.extra, constraints: constraints.map((each): JsonMembers => ({ ...each })) },
    updatedAt: call.jar.clock.now(),
    updatedBy: callerIdentity(call).principal.id,
  };
  await tx.put(securables, keyOf(target), target);
  await record(tx, call, 'update', { ...chain, target });
}

/** The constraints of a table on the wire, without foreign keys whose parent is gone. */
export async function constraintsView(reader: Reader, { target }: Chain): Promise<JsonList> {
  const shown: JsonMembers[] = [];
  for (const each of constraintsOf(target)) {
    const view = await constraintView(reader, each);
    if (view) shown.push(view);
  }
  return shown;
}

export async function constraintView(reader: Reader, constraint: Constraint): Promise<JsonMembers | undefined> {
  const { kind, name, columns = [], rely, timeseries, parent = '', parentColumns = [] } = constraint;
  if (kind === 'named') return { named_table_constraint: { name } };
  const common = { name, child_columns: columns, ...(rely !== undefined && { rely }) };
  if (kind === 'primary')
    return { primary_key_constraint: { ...common, ...(timeseries && { timeseries_columns: timeseries }) } };
  const found = await chainById(reader, parent);
  if (!found) return undefined;
  return {
    foreign_key_constraint: { ...common, parent_table: fullNameOf(found), parent_columns: parentColumns },
  };
}

const same = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

const invalid = (reason: string) => errors.INVALID_PARAMETER_VALUE({ reason });
