import { StoreError } from '../errors.ts';
import { FUNCTIONS, type StoreFunction } from '../functions.ts';
import type { Comparator, Expression, Filter, ScalarType } from '../types.ts';
import { comparable } from '../values.ts';
import type { Dialect, Parameters } from './dialect.ts';
import type { Layout } from './layout.ts';

const TRUE = '1 = 1';
const FALSE = '1 = 0';
const OPERATORS = { lt: '<', le: '<=', gt: '>', ge: '>=' } as const;

interface Computed {
  readonly sql: string;
  readonly type: ScalarType;
}

/** Compiles comparisons of computed values to SQL. Types are checked here, because each engine would convert differently. */
export class ExpressionCompiler {
  readonly #layout: Layout<never>;
  readonly #dialect: Dialect;
  readonly #parameters: Parameters;

  constructor(layout: Layout<never>, dialect: Dialect, parameters: Parameters) {
    this.#layout = layout;
    this.#dialect = dialect;
    this.#parameters = parameters;
  }

  compare({ operator, left, right }: Extract<Filter, { op: 'compare' }>, negated: boolean): string {
    if (isAbsent(left) || isAbsent(right)) return this.#comparedWithAbsent(operator, left, right, negated);
    const a = this.#compile(left);
    const b = this.#compile(right);
    if (a.type !== b.type) throw new StoreError('BAD_QUERY', `a ${a.type} cannot be compared with a ${b.type}`);
    if (operator === 'eq' || operator === 'ne') {
      const equal = (operator === 'eq') !== negated;
      return `(${this.#side(a)} ${equal ? this.#dialect.same : this.#dialect.different} ${this.#side(b)})`;
    }
    const condition = `(${this.#side(a)} ${OPERATORS[operator]} ${this.#side(b)})`;
    return negated ? `NOT coalesce(${condition}, FALSE)` : condition;
  }

  /** A value that is left out of the statement must not leave parameters behind. */
  #comparedWithAbsent(operator: Comparator, left: Expression, right: Expression, negated: boolean): string {
    if (operator !== 'eq' && operator !== 'ne') return negated ? TRUE : FALSE;
    const equal = (operator === 'eq') !== negated;
    const other = isAbsent(left) ? right : left;
    if (isAbsent(other)) return equal ? TRUE : FALSE;
    return `${this.#compile(other).sql} IS ${equal ? '' : 'NOT '}NULL`;
  }

  among({ left, values }: Extract<Filter, { op: 'among' }>, negated: boolean): string {
    if (isAbsent(left)) return negated ? TRUE : FALSE;
    const computed = this.#compile(left);
    const list = this.#dialect.list(values.map((value) => comparable('the expression', computed.type, value)));
    const condition = this.#dialect.isIn(this.#side(computed), this.#parameters.add(list));
    return negated ? `NOT coalesce(${condition}, FALSE)` : condition;
  }

  #side({ sql, type }: Computed): string {
    return type === 'text' ? this.#dialect.byBytes(sql) : sql;
  }

  #compile(expression: Expression): Computed {
    if ('field' in expression) return this.#column(expression.field);
    if ('call' in expression) return this.#call(expression);
    const { value } = expression;
    if (value === null) throw new StoreError('BAD_QUERY', 'an absent value can only be compared by eq and ne');
    const type = typeof value === 'string' ? 'text' : typeof value === 'number' ? 'number' : 'boolean';
    const placeholder = this.#parameters.add(this.#dialect.scalar(comparable('the expression', type, value)));
    return { sql: this.#dialect.typed(placeholder, type), type };
  }

  #column(field: string): Computed {
    const column = this.#layout.columnOf.get(field);
    if (!column) throw new StoreError('BAD_QUERY', `'${field}' is not a field of ${this.#layout.collection.name}`);
    return { sql: column.name, type: column.type };
  }

  #call({ call, args }: Extract<Expression, { call: unknown }>): Computed {
    const called: StoreFunction | undefined = Object.hasOwn(FUNCTIONS, call) ? FUNCTIONS[call] : undefined;
    if (!called) throw new StoreError('BAD_QUERY', `there is no function '${call}'`);
    const { parameters, optional = 0, result } = called;
    if (args.length > parameters.length || args.length < parameters.length - optional)
      throw new StoreError('BAD_QUERY', `'${call}' does not take ${args.length} arguments`);
    const compiled = args.map((arg) => this.#compile(arg));
    for (const [i, { type }] of compiled.entries()) {
      const wanted = parameters[i];
      if (wanted === 'text or number' ? type === 'boolean' : type !== wanted)
        throw new StoreError('BAD_QUERY', `argument ${i + 1} of '${call}' is to be a ${wanted}, not a ${type}`);
    }
    return {
      sql: this.#dialect.call(
        call,
        compiled.map(({ sql }) => sql),
      ),
      type: result,
    };
  }
}

function isAbsent(expression: Expression): boolean {
  if ('call' in expression) return expression.args.some(isAbsent);
  return 'value' in expression && expression.value === null;
}
