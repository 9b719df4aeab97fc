import { expect } from 'vitest';
import type { Bench } from '../../../../support/jars.ts';
import { type Ask, good, person, withoutRates } from '../../support.ts';

/** The owner of the warehouse; the administrator by default. */
type Rest = Parameters<typeof person> extends [Bench, ...infer Who] ? Who : never;

/** Runs statements on a warehouse. */
export class SqlBench {
  readonly ask: Ask;
  readonly warehouse: string;

  constructor(ask: Ask, warehouse: string) {
    this.ask = ask;
    this.warehouse = warehouse;
  }

  static async of(bench: Bench, ...who: Rest): Promise<SqlBench> {
    await withoutRates(bench);
    const ask = await person(bench, ...who);
    const { id } = await good(ask('POST', '/sql/warehouses', { name: 'sql', auto_stop_mins: 0 }));
    await bench.jar.clock.advance('5m');
    return new SqlBench(ask, id);
  }

  /** The same warehouse for another caller. */
  as(ask: Ask): SqlBench {
    return new SqlBench(ask, this.warehouse);
  }

  /** The response, whatever the outcome of the statement. */
  async send(statement: string, more: object = {}) {
    const body = { warehouse_id: this.warehouse, statement, wait_timeout: '50s', ...more };
    return good(this.ask('POST', '/sql/statements', body));
  }

  /** The rows of a statement that succeeds. */
  async rows(statement: string, more: object = {}): Promise<readonly (readonly (string | null)[])[]> {
    const { status, result } = await this.send(statement, more);
    expect(status, statement).toEqual({ state: 'SUCCEEDED' });
    return result.data_array ?? [];
  }

  /** The error of a statement that fails. */
  async refusal(statement: string, more: object = {}): Promise<{ readonly state: string; readonly message: string }> {
    const { status } = await this.send(statement, more);
    expect(status.state, statement).toBe('FAILED');
    expect(status.error.error_code).toBe('BAD_REQUEST');
    return { state: status.sql_state, message: status.error.message };
  }
}
