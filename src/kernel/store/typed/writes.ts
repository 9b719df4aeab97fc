import { StoreError } from '../errors.ts';
import type { ReadLock, Tx } from '../types.ts';
import { append } from './batch.ts';
import { checkDefinition, checkTableName, plainDefinition, tableDefinitions, unknownTable } from './definitions.ts';
import type { TypedDialect } from './dialect.ts';
import type { Steps } from './steps.ts';
import { changeTable, clearTable, createTable, dropTable, removeOldest } from './tables.ts';
import type { Cell, TableDefinition, TableWrites } from './types.ts';

/** The transaction that the writes belong to. */
export interface TypedTx {
  readonly dialect: TypedDialect;
  readonly documents: Pick<Tx, 'get' | 'put' | 'delete'>;
  run<R>(steps: Steps<R>): Promise<R>;
}

/**
 * Writes of typed tables within a transaction. Whoever writes rows keeps the table's definition from being changed until the commit (`share`), and who
 * changes it waits for those who write rows.
 */
export class TypedWrites implements TableWrites {
  readonly #tx: TypedTx;

  constructor(tx: TypedTx) {
    this.#tx = tx;
  }

  async create(definition: TableDefinition): Promise<void> {
    checkDefinition(definition);
    const { dialect, documents, run } = this.#tx;
    const { name } = definition;
    if (await documents.get(tableDefinitions, name)) throw new StoreError('BAD_QUERY', `there is a table '${name}'`);
    await documents.put(tableDefinitions, name, plainDefinition(definition));
    await run(createTable(dialect, definition));
  }

  async change(definition: TableDefinition): Promise<void> {
    checkDefinition(definition);
    const { dialect, documents, run } = this.#tx;
    const before = await this.#definition(definition.name, 'update');
    const after = plainDefinition(definition);
    if (JSON.stringify(plainDefinition(before)) === JSON.stringify(after)) return;
    await run(changeTable(dialect, before, after));
    await documents.put(tableDefinitions, after.name, after);
  }

  async drop(name: string): Promise<void> {
    await this.#definition(name, 'update');
    const { dialect, documents, run } = this.#tx;
    await run(dropTable(dialect, name));
    await documents.delete(tableDefinitions, name);
  }

  async append(name: string, rows: readonly (readonly Cell[])[]): Promise<void> {
    const definition = await this.#definition(name, 'share');
    if (rows.length > 0) await this.#tx.run(append(this.#tx.dialect, definition, rows));
  }

  async removeOldest(name: string, count: number): Promise<void> {
    await this.#definition(name, 'share');
    if (count > 0) await this.#tx.run(removeOldest(this.#tx.dialect, name, count));
  }

  async clear(name: string): Promise<void> {
    await this.#definition(name, 'update');
    await this.#tx.run(clearTable(this.#tx.dialect, name));
  }

  async #definition(name: string, lock: ReadLock): Promise<TableDefinition> {
    const found = await this.#tx.documents.get(tableDefinitions, checkTableName(name), lock);
    if (!found) throw unknownTable(name);
    return found.value;
  }
}
