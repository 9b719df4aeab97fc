import { DAY_MS, dayOf } from '../../../kernel/time/index.ts';
import type { Value } from '../model/types.ts';
import type { Books } from '../records/books.ts';
import { numberSeries } from '../records/collection.ts';
import type { Company } from '../records/company.ts';
import type { Row } from '../records/row.ts';
import { ACTIONS } from '../rules/index.ts';
import { deterministicId } from './deterministic-id.ts';

/** Creates one company day by day. Sends no notifications, since no subscription can exist yet. */
export class Builder {
  readonly company: Company;
  readonly at: number;
  readonly #open: (now: number) => Books;
  #books: Books;

  constructor(open: (now: number) => Books, at: number, company: Company) {
    this.#open = open;
    this.#books = open(at);
    this.at = at;
    this.company = company;
  }

  get books(): Books {
    return this.#books;
  }

  /** Sets the current day to so many days before the start of the jar. */
  goTo(daysAgo: number): string {
    this.#books = this.#open(this.at - daysAgo * DAY_MS);
    return this.today;
  }

  get today(): string {
    return dayOf(this.#books.now);
  }

  /** Inserts a record; if it has a number or code, its id is derived from that. */
  async insert(table: string, values: Readonly<Record<string, Value>>, id?: string): Promise<Row> {
    return this.#books.insert(table, values, id ?? this.#idOf(table, values));
  }

  #idOf(table: string, values: Readonly<Record<string, Value>>): string | undefined {
    const { key, keyWithin } = this.#books.model.table(table);
    const name = key === undefined ? '' : String(values[key] ?? '');
    if (name === '') return undefined;
    const within = keyWithin === undefined ? '' : String(values[keyWithin]);
    return deterministicId(this.company.tenantId, this.company.name, table, within, name);
  }

  /** Inserts rows: `fields` are the names, `rows` the values. */
  async insertAll(table: string, fields: readonly string[], rows: readonly (readonly Value[])[]): Promise<void> {
    for (const row of rows) {
      await this.insert(table, Object.fromEntries(row.map((value, index) => [fields[index] as string, value])));
    }
  }

  async act(row: Row, action: string): Promise<Row> {
    await this.#books.settle();
    const act = ACTIONS[`${row.table.name}.${action}`];
    if (!act) throw new Error(`there is no action '${action}' on '${row.table.name}'`);
    await act(this.#books, this.#books.current(row), {});
    await this.#books.settle();
    return this.#books.current(row);
  }

  async number(table: string, number: string): Promise<Row> {
    const { key = 'number' } = this.#books.model.table(table);
    const found = await this.#books.find(table, { [key]: number });
    if (!found) throw new Error(`the sample has no ${table} '${number}'`);
    return found;
  }

  async series(name: string, last: string, step = 1): Promise<void> {
    await this.#books.tx.put(numberSeries, `${this.company.key}/${name}`, { last, step });
  }
}
