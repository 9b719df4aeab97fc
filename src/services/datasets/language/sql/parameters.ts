import { type Cell, storable } from '../../../../kernel/store/index.ts';
import { QueryError } from '../errors.ts';
import type { ScalarType } from '../scalar/types.ts';
import type { Dialect } from './dialect.ts';

/** The engines have their own limits; SQLite's is the lower one, 32,766. */
const MOST_CONSTANTS = 32_000;

const TOKEN = /«(\d+)»/g;

/**
 * Converts a value for both engines: SQLite would write a boolean true as 1.0 when converting it to text, and PostgreSQL accepts no U+0000
 * in text.
 */
function kept(type: ScalarType, value: Cell): Cell {
  if (typeof value === 'string') return storable(value);
  return type === 'boolean' && typeof value === 'number' ? BigInt(value) : value;
}

/**
 * The constants of a statement. While the statement is being written, constants are tokens, and equal constants share a token: equal parts
 * of the SQL can then be detected, and parts can be discarded. `finish` numbers the tokens that are left.
 */
export class Parameters {
  readonly #values: { readonly type: ScalarType; readonly value: Cell }[] = [];
  readonly #tokens = new Map<string, string>();

  add(type: ScalarType, value: Cell): string {
    const identity = `${type} ${typeof value} ${value}`;
    let token = this.#tokens.get(identity);
    if (token === undefined) {
      token = `«${this.#values.length}»`;
      this.#values.push({ type, value });
      this.#tokens.set(identity, token);
    }
    return token;
  }

  finish(text: string, dialect: Dialect): { readonly text: string; readonly values: Cell[] } {
    const positions = new Map<number, number>();
    const values: Cell[] = [];
    const finished = text.replace(TOKEN, (_, digits: string) => {
      const index = Number(digits);
      const { type, value } = this.#values[index]!;
      let position = positions.get(index);
      if (position === undefined) {
        position = values.push(kept(type, value));
        positions.set(index, position);
      }
      return dialect.parameter(position, type);
    });
    if (values.length > MOST_CONSTANTS) throw new QueryError(`The query has more than ${MOST_CONSTANTS} constants.`);
    return { text: finished, values };
  }
}
