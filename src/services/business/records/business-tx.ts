import { type Filter, readAll, type Stored, type Tx } from '../../../kernel/store/index.ts';
import { errors } from '../errors.ts';
import type { BusinessJar } from '../jar.ts';
import type { Model, Table, Value } from '../model/types.ts';
import { RULES } from '../rules/index.ts';
import type { Actor } from '../users/actor.ts';
import type { Books, Draft, RecordChange } from './books.ts';
import { type BusinessRecord, records } from './collection.ts';
import type { Company } from './company.ts';
import { conditions, TABLE_ORDER, type Where } from './conditions.ts';
import { newRecordId } from './new-id.ts';
import { nextNumber } from './number-series.ts';
import { resolveRelations } from './relations.ts';
import { emptyValue, keyOf, listOf, packed, Row } from './row.ts';

export interface BusinessTxOptions {
  readonly tx: Tx;
  readonly jar: BusinessJar;
  readonly model: Model;
  readonly company: Company;
  readonly actor: Actor;
  readonly now: number;
  /** Generates the system ids of new records; default: random ids. */
  readonly newId?: (table: string) => string;
}

const PAGE = 1000;

/**
 * One transaction on the books of a company. All writes of records, by clients or rules, pass through it, so that relations, numbers,
 * rules, lines and change notifications work the same everywhere. Awaits only the store's transaction.
 */
export class BusinessTx implements Books {
  readonly tx: Tx;
  readonly jar: BusinessJar;
  readonly model: Model;
  readonly company: Company;
  readonly actor: Actor;
  readonly now: number;
  readonly newId: (table: string) => string;
  readonly changes: RecordChange[] = [];
  /** Rows written by this transaction, by key: a change to an older version of a row applies to the newest. */
  readonly #written = new Map<string, Row>();
  /** Records to recalculate because their lines changed. */
  readonly #touched = new Map<string, { table: Table; id: string }>();

  constructor({ tx, jar, model, company, actor, now, newId = () => newRecordId(now) }: BusinessTxOptions) {
    this.tx = tx;
    this.jar = jar;
    this.model = model;
    this.company = company;
    this.actor = actor;
    this.now = now;
    this.newId = newId;
  }

  scopeOf(table: Table): string {
    return table.scope === 'tenant' ? this.company.tenantId : this.company.key;
  }

  /**
   * Locks the record exclusively until the transaction ends: with shared locks, two transactions that both go on to change it would
   * deadlock.
   */
  async get(table: string, id: string): Promise<Row | undefined> {
    const described = this.model.table(table);
    const stored = await this.tx.get(records, keyOf(this.scopeOf(described), described, id.toLowerCase()));
    return stored && new Row(described, stored);
  }

  /** The first record with these values, in the order of the table. */
  async find(table: string, where: Where): Promise<Row | undefined> {
    const [found] = await this.#query(table, where, 1);
    // Read again with a lock: a query takes none.
    return found && this.get(table, found.value.id);
  }

  /** All records with these values, in the order of the table. */
  async list(table: string, where: Where): Promise<Row[]> {
    const described = this.model.table(table);
    return (await this.#query(table, where)).map((stored) => new Row(described, stored));
  }

  async #query(table: string, where: Where, limit?: number): Promise<readonly Stored<BusinessRecord>[]> {
    const described = this.model.table(table);
    const filter: Filter = conditions(described, listOf(this.scopeOf(described), described), where);
    const query = { filter, order: TABLE_ORDER };
    if (limit !== undefined) return (await this.tx.query(records, { ...query, limit })).items;
    return readAll(this.tx, records, { ...query, page: PAGE });
  }

  async insert(
    tableName: string,
    given: Readonly<Record<string, Value>>,
    id: string = this.newId(tableName),
  ): Promise<Row> {
    const table = this.model.table(tableName);
    const draft: Draft = {};
    for (const name in table.fields) draft[name] = table.fields[name]!.initial ?? emptyValue(table.fields[name]!);
    Object.assign(draft, given);
    const set = new Set(Object.keys(given));
    await resolveRelations(this, table, draft, set);
    await this.#requireHeader(table, draft);
    const { key: named, series } = table;
    let claimed: Value | undefined;
    if (series !== undefined && named !== undefined && draft[named] === '') {
      claimed = await nextNumber(this, series, (number) => this.isFree(table, { ...draft, [named]: number }));
      draft[named] = claimed;
    }
    await RULES[tableName]?.insert?.(this, draft, set);
    if (named !== undefined && draft[named] !== claimed) await this.#claimKey(table, draft);
    const { objectId } = this.actor;
    const key = keyOf(this.scopeOf(table), table, id);
    if (await this.tx.get(records, key)) throw this.#taken(table, 'id', id);
    const row = await this.#put(table, key, {
      id,
      list: listOf(this.scopeOf(table), table),
      ...packed(table, draft),
      createdAt: this.now,
      createdBy: objectId,
      modifiedAt: this.now,
      modifiedBy: objectId,
    });
    this.changes.push({ type: 'created', row });
    this.#touchHeader(table, row);
    return row;
  }

  async modify(row: Row, changes: Readonly<Record<string, Value>>): Promise<Row> {
    const { table } = row;
    const before = this.#written.get(row.stored.key) ?? row;
    const draft: Draft = { ...before.values(), ...changes };
    const changed = differing(draft, before, Object.keys(changes));
    await resolveRelations(this, table, draft, changed);
    if (table.partOf && changed.has(table.partOf.by)) await this.#requireHeader(table, draft);
    await RULES[table.name]?.modify?.(this, draft, before, changed);
    const { key, keyWithin } = table;
    if (key !== undefined && differing(draft, before, [key, keyWithin ?? key]).size > 0) {
      await this.#claimKey(table, draft);
    }
    const after = await this.#put(table, row.stored.key, {
      ...before.stored.value,
      ...packed(table, draft),
      modifiedAt: this.now,
      modifiedBy: this.actor.objectId,
    });
    this.changes.push({ type: 'updated', row: after, before });
    this.#touchHeader(table, before);
    this.#touchHeader(table, after);
    return after;
  }

  /**
   * Writes values that follow from other records: a balance, the amounts of a line. No user has changed the record, so it keeps its
   * modification time, runs no rules and sends no notifications.
   */
  async derive(row: Row, values: Readonly<Record<string, Value>>): Promise<Row> {
    const { table } = row;
    const before = this.current(row);
    if (differing(values, before, Object.keys(values)).size === 0) return before;
    return this.#put(table, row.stored.key, {
      ...before.stored.value,
      ...packed(table, { ...before.values(), ...values }),
    });
  }

  async remove(row: Row): Promise<void> {
    const { table } = row;
    await RULES[table.name]?.remove?.(this, row);
    await this.#removeWithLines(row);
    this.#touchHeader(table, row);
  }

  async #removeWithLines(row: Row): Promise<void> {
    for (const { table, by } of this.model.linesOf(row.table.name)) {
      for (const line of await this.list(table, { [by]: row.id })) await this.#removeWithLines(line);
    }
    await this.tx.delete(records, row.stored.key);
    this.#written.delete(row.stored.key);
    this.#touched.delete(row.stored.key);
    this.changes.push({ type: 'deleted', row });
  }

  /** Recalculates records whose lines have changed. Must be called before their values are used. */
  async settle(): Promise<void> {
    while (this.#touched.size > 0) {
      const touched = [...this.#touched.values()];
      this.#touched.clear();
      for (const { table, id } of touched) {
        const header = await this.get(table.name, id);
        if (!header) continue;
        await this.modify(header, (await RULES[table.name]?.linesChanged?.(this, header)) ?? {});
      }
    }
  }

  /** The newest version of the row that this transaction has written, or the row itself. */
  current(row: Row): Row {
    return this.#written.get(row.stored.key) ?? row;
  }

  /** The parent of a line must exist; reading it locks it against removal. */
  async #requireHeader({ partOf }: Table, draft: Draft): Promise<void> {
    if (!partOf) return;
    const value = draft[partOf.by] as string;
    if (await this.get(partOf.table, value)) return;
    const table = this.model.table(partOf.table).caption;
    throw errors.Internal_InvalidTableRelation({ field: partOf.by, value, table }, { target: partOf.by });
  }

  #touchHeader({ partOf }: Table, line: Row): void {
    if (!partOf) return;
    this.touch(partOf.table, line.text(partOf.by));
  }

  /** Marks a record as changed because something that belongs to it has changed; it is recalculated like after a change of its lines. */
  touch(name: string, id: string): void {
    const table = this.model.table(name);
    this.#touched.set(keyOf(this.scopeOf(table), table, id), { table, id });
  }

  async #put(table: Table, key: string, record: BusinessRecord): Promise<Row> {
    const row = new Row(table, await this.tx.put(records, key, record));
    this.#written.set(key, row);
    return row;
  }

  async #claimKey(table: Table, draft: Draft): Promise<void> {
    const key = table.key as string;
    const value = draft[key] as string;
    if (value === '') throw errors.BadRequest_RequiredParamNotProvided({ property: key }, { target: key });
    if (!(await this.isFree(table, draft))) throw this.#taken(table, key, value);
  }

  /** True if no other record has the key of this one. Concurrent checks of the same key wait for each other. */
  async isFree(table: Table, draft: Draft): Promise<boolean> {
    const { key = 'id', keyWithin } = table;
    const list = listOf(this.scopeOf(table), table);
    await this.tx.lock(`business/${list}/${draft[key]}`);
    const where = keyWithin === undefined ? {} : { [keyWithin]: draft[keyWithin] as Value };
    const filter = conditions(table, list, { [key]: draft[key] as Value, ...where });
    const { items } = await this.tx.query(records, { filter, order: TABLE_ORDER, limit: 1 });
    return items.length === 0;
  }

  #taken(table: Table, field: string, value: string): Error {
    return errors.Internal_EntityWithSameKeyExists({ entity: table.caption, field, value }, { target: field });
  }
}

function differing(draft: Readonly<Draft>, before: Row, names: readonly string[]): Set<string> {
  return new Set(names.filter((name) => draft[name] !== before.get(name)));
}
