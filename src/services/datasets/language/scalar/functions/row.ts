import { convert } from '../conversions.ts';
import { blank, call } from '../sql.ts';
import type { Engine, Operand, ScalarType } from '../types.ts';

/** An argument: a value, a keyword, or undefined if it is empty. */
export type Argument = Operand | string | undefined;

export interface ScalarFunction {
  /** In upper case. */
  readonly name: string;
  readonly least: number;
  readonly most: number;
  /** The positions of keyword arguments and the keywords that they accept. */
  readonly keywords?: Readonly<Record<number, readonly string[]>>;
  /** `words` contains the given keywords at their argument positions. */
  result(types: readonly ScalarType[], words?: readonly (string | undefined)[]): ScalarType;
  sql(args: readonly Argument[], engine: Engine): string;
}

/** The maximum for functions with any number of arguments. */
export const MANY = 255;

/** The type in which a function that keeps the type of its number computes. */
export type NumberType = 'int' | 'decimal' | 'double';

export function numberType(type: ScalarType | undefined): NumberType {
  if (type === 'int' || type === 'boolean' || type === 'blank' || type === undefined) return 'int';
  return type === 'decimal' ? type : 'double';
}

/** Positions and counts are clamped to this range: larger ones have no meaning, and SQL has its own limits. */
const LARGEST = 2_147_483_647;

/** The arguments of a call, converted to the types of their parameters. */
export class Arguments {
  readonly engine: Engine;
  readonly #args: readonly Argument[];

  constructor(args: readonly Argument[], engine: Engine) {
    this.#args = args;
    this.engine = engine;
  }

  get count(): number {
    return this.#args.length;
  }

  has(index: number): boolean {
    return typeof this.#args[index] === 'object';
  }

  operand(index: number): Operand {
    const arg = this.#args[index];
    return typeof arg === 'object' ? arg : { sql: blank('blank', this.engine), type: 'blank' };
  }

  type(index: number): ScalarType {
    return this.operand(index).type;
  }

  word(index: number): string {
    const arg = this.#args[index];
    return typeof arg === 'string' ? arg : '';
  }

  as(index: number, type: ScalarType): string {
    return convert(this.operand(index), type, this.engine).sql;
  }

  /** Text functions treat BLANK as the empty text. */
  text(index: number): string {
    return this.type(index) === 'blank' ? "''" : `coalesce(${this.as(index, 'text')}, '')`;
  }

  double(index: number): string {
    return this.as(index, 'double');
  }

  date(index: number): string {
    return this.as(index, 'date');
  }

  /** BLANK counts as zero. */
  orZero(index: number, type: NumberType): string {
    return `coalesce(${this.as(index, type)}, 0)`;
  }

  /** A position or count, clamped to the range of SQL; `otherwise` is the value of a missing argument. */
  whole(index: number, otherwise = 0): string {
    if (!this.has(index)) return String(otherwise);
    return this.within(this.orZero(index, 'int'));
  }

  /** An integer clamped to the range of SQL. */
  within(sql: string): string {
    const [least, greatest] = this.engine === 'postgres' ? ['least', 'greatest'] : ['min', 'max'];
    return `${least}(${greatest}(${sql}, -${LARGEST}), ${LARGEST})`;
  }

  call(name: string, ...args: readonly string[]): string {
    return call(this.engine, name, ...args);
  }
}

type Result = ScalarType | ScalarFunction['result'];

export function row(
  name: string,
  [least, most]: readonly [number, number],
  result: Result,
  sql: (args: Arguments) => string,
  keywords?: ScalarFunction['keywords'],
): ScalarFunction {
  return {
    name,
    least,
    most,
    ...(keywords && { keywords }),
    result: typeof result === 'function' ? result : () => result,
    sql: (args, engine) => sql(new Arguments(args, engine)),
  };
}
