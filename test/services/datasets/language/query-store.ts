import type { TestContext } from 'vitest';
import { openPostgres, openSqlite, type Store, type TableDefinition } from '../../../../src/kernel/store/index.ts';
import { compileQuery, jsonText, type Model } from '../../../../src/services/datasets/language/index.ts';
import { QUERY_LIBRARY } from '../../../../src/services/datasets/language/library.ts';
import { useEmptyDatabase } from '../../../support/use-postgres.ts';
import type { Rows } from './evaluator/database.ts';
import type { AnswerRow } from './evaluator/evaluate.ts';
import type { Json } from './evaluator/values.ts';

export type EngineName = 'sqlite' | 'postgres';

export const ENGINES: readonly EngineName[] = ['sqlite', 'postgres'];

/** 2024-03-05. */
const NOW = 45_356;
const BOUNDS = { rows: 100_000, timeMs: 60_000 };

/** A store with the tables of models; runs queries through the compiler. */
export class QueryStore {
  readonly #engine: EngineName;
  readonly #store: Store;
  readonly #created = new Set<string>();

  private constructor(engine: EngineName, store: Store) {
    this.#engine = engine;
    this.#store = store;
  }

  static async open(engine: EngineName, context: Pick<TestContext, 'skip'>): Promise<QueryStore> {
    const store =
      engine === 'sqlite'
        ? await openSqlite({ collections: [], work: [] })
        : await openPostgres({
            url: await useEmptyDatabase(context, 'queries'),
            collections: [],
            work: [],
            report: () => {},
          });
    await store.tables.use(QUERY_LIBRARY);
    return new QueryStore(engine, store);
  }

  /** Sets the rows of a model's tables. */
  async lay(model: Model, rows: Rows): Promise<void> {
    await this.#store.transact(async (tx) => {
      for (const definition of definitionsOf(model)) {
        if (this.#created.has(definition.name)) await tx.tables.clear(definition.name);
        else await tx.tables.create(definition);
      }
      for (const { name, storage } of model.tables) await tx.tables.append(storage, rows[name] ?? []);
    });
    for (const { storage } of model.tables) this.#created.add(storage);
  }

  /** Rows as in a response with nulls. */
  async ask(model: Model, query: string): Promise<readonly AnswerRow[]> {
    const { statement, columns } = this.compile(model, query);
    const { rows } = await this.#store.tables.select(statement, BOUNDS);
    return rows.map((row) =>
      Object.fromEntries(columns.map(({ key, type }, place) => [key, plain(jsonText(row[place]!, type))])),
    );
  }

  compile(model: Model, query: string) {
    const sqlName = (storage: string) => this.#store.tables.sqlName(storage);
    return compileQuery(model, query, { engine: this.#engine, now: NOW, sqlName });
  }

  close(): Promise<void> {
    return this.#store.close();
  }
}

/** Parent keys are unique. */
function definitionsOf({ tables, relationships }: Model): readonly TableDefinition[] {
  return tables.map(({ name, storage, columns }) => ({
    name: storage,
    columns: columns.map((column) => ({
      name: column.storage,
      type: column.type,
      unique: relationships.some(({ to }) => to.table === name && to.column === column.name),
    })),
  }));
}

/** Keeps integers that a JavaScript number cannot hold. */
function plain(text: string): Json {
  const value: Json = JSON.parse(text);
  return /^-?\d+$/.test(text) && !Number.isSafeInteger(value) ? BigInt(text) : value;
}
