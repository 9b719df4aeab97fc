import { StoreError } from '../errors.ts';
import type { ReadLock, Stored, Tx } from '../types.ts';
import { append } from './batch.ts';
import { checkDefinition, checkTableName, plainDefinition, tableDefinitions, unknownTable } from './definitions.ts';
import type { TypedDialect } from './dialect.ts';
import type { SpellingCache } from './spelling-cache.ts';
import type { Steps } from './steps.ts';
import { changeTable, clearTable, createTable, dropTable, removeOldest } from './tables.ts';
import type { Cell, TableDefinition, TableWrites } from './types.ts';

export interface TypedTx {
  readonly dialect: TypedDialect;
  readonly documents: Pick<Tx, 'get' | 'put' | 'delete' | 'afterCommit'>;
  readonly spellings: SpellingCache;
  run<R>(steps: Steps<R>): Promise<R>;
}

/**
 * Writes of typed tables within a transaction. Writing rows locks the table's definition (`share`) until the commit, so a change of the
 * definition waits for writers of rows and vice versa.
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
    const { value, etag } = await this.#stored(name, 'share');
    if (rows.length === 0) return;
    const { dialect, documents, spellings, run } = this.#tx;
    const known = (column: string) => spellings.column(name, etag, column);
    const learned = await run(append({ dialect, known }, value, rows));
    if (learned.length > 0) documents.afterCommit(() => spellings.learn(name, etag, learned));
  }

  async removeOldest(name: string, count: number): Promise<void> {
    await this.#definition(name, 'share');
    if (count > 0) await this.#tx.run(removeOldest(this.#tx.dialect, name, count));
  }

  async clear(name: string): Promise<void> {
    const definition = await this.#definition(name, 'update');
    await this.#tx.run(clearTable(this.#tx.dialect, name));
    // The new etag makes all nodes discard the table's cached spellings.
    await this.#tx.documents.put(tableDefinitions, name, definition);
  }

  async #definition(name: string, lock: ReadLock): Promise<TableDefinition> {
    return (await this.#stored(name, lock)).value;
  }

  async #stored(name: string, lock: ReadLock): Promise<Stored<TableDefinition>> {
    const found = await this.#tx.documents.get(tableDefinitions, checkTableName(name), lock);
    if (!found) throw unknownTable(name);
    return found;
  }
}
