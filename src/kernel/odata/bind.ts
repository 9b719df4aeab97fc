import type { Scalar } from '../store/types.ts';
import { type Binary, type In, type Lambda, LIMITS, type Literal, type Node, type Path } from './ast.ts';
import { ALWAYS, type Constant, NEVER, type Predicate, type ResolvedProperty, type Value } from './bound.ts';
import { coerce, constantOf, describe, enumMember } from './coerce.ts';
import { errorAt, type ODataError, type ODataErrorCode } from './errors.ts';
import { compareValues } from './evaluate.ts';
import { foldPair } from './fold.ts';
import { propertyValue, resolve, type Scope } from './resolve.ts';
import type { EntityShape, EnumShape } from './shape.ts';
import { bindArithmetic, bindCall, bindNegation } from './values.ts';

/** The part of a shape that names are resolved with, for any document type. */
type Named = Pick<EntityShape<never>, 'properties'>;

/** Resolves the names of an expression and checks its types. */
export class Binder {
  readonly shape: Named;
  readonly option: string;
  readonly source: string;
  readonly now: number;
  #scopes: readonly Scope[] = [];

  constructor(shape: Named, option: string, source: string, now: number) {
    this.shape = shape;
    this.option = option;
    this.source = source;
    this.now = now;
  }

  error(code: ODataErrorCode, at: number, problem: string): ODataError {
    return errorAt(code, this.option, this.source, at, problem);
  }

  predicate(node: Node): Predicate {
    switch (node.kind) {
      case 'junction':
        return { kind: 'junction', operator: node.operator, args: node.args.map((arg) => this.predicate(arg)) };
      case 'in':
        return this.#in(node);
      case 'lambda':
        return this.#lambda(node);
      case 'unary':
        if (node.operator === 'not') return { kind: 'not', arg: this.#negated(node.operand) };
        break;
      case 'binary':
        if (node.operator === 'has') return this.#has(node);
        if (isComparison(node)) return this.#comparison(node);
        break;
      default:
    }
    const value = this.value(node);
    if (value.type !== undefined && value.type !== 'boolean')
      throw this.error('TypeMismatch', node.at, `expected a condition and found ${describe(value)}`);
    return truthOf(value);
  }

  value(node: Node): Value {
    switch (node.kind) {
      case 'literal':
        return constantOf(node);
      case 'path':
        return this.#property(node);
      case 'call':
        return bindCall(this, node);
      case 'unary':
        if (node.operator === 'negate') return bindNegation(this, node);
        break;
      case 'binary':
        if (!isComparison(node) && node.operator !== 'has') return bindArithmetic(this, node);
        break;
      default:
    }
    throw this.error('TypeMismatch', node.at, 'a condition cannot be used as a value here');
  }

  resolve(path: Path): ResolvedProperty {
    return resolve(this, this.#scopes, path);
  }

  #property(path: Path): Value {
    const counted = path.segments.length > 1 && path.segments.at(-1)?.toLowerCase() === '$count';
    const property = this.resolve(counted ? { ...path, segments: path.segments.slice(0, -1) } : path);
    const { shape } = property;
    if (counted) {
      if (!shape.collection) throw this.error('TypeMismatch', path.at, `'${property.path}' is not a collection`);
      return { kind: 'count', property, type: 'number', whole: true };
    }
    return propertyValue(this, property, path.at);
  }

  #negated(operand: Node): Predicate {
    const negatesValue = operand.kind === 'path' || operand.kind === 'literal' || operand.kind === 'call';
    if (!negatesValue) return this.predicate(operand);
    const value = this.value(operand);
    if (value.type === undefined || value.type === 'boolean') return truthOf(value);
    throw this.error(
      'TypeMismatch',
      operand.at,
      `'not' takes a condition and found ${describe(value)}; use parentheses, as in not (…),`,
    );
  }

  #comparison(node: Binary): Predicate {
    const operator = node.operator as 'eq' | 'ne' | 'gt' | 'ge' | 'lt' | 'le';
    if (isCondition(node.left) || isCondition(node.right)) return this.#comparedCondition(node, operator);
    const [left, right] = this.#sides(node);
    if (left.type === 'enum' && operator !== 'eq' && operator !== 'ne')
      throw this.error('TypeMismatch', node.at, `members of an enumeration have no order for '${operator}'`);
    if (left.kind === 'constant' && right.kind === 'constant') return constantComparison(operator, left, right);
    const isNull = (value: Value) => value.kind === 'constant' && value.value === null;
    if ((isNull(left) || isNull(right)) && operator !== 'eq' && operator !== 'ne') return NEVER;
    if (isNotANumber(left) || isNotANumber(right)) return operator === 'ne' ? ALWAYS : NEVER;
    return { kind: 'compare', operator, left, right };
  }

  /** Returns both sides with comparable types; a literal is converted to the type of the other side. */
  #sides({ left, right, at }: Binary): [Value, Value] {
    const a = this.#side(left, right);
    const b = this.#side(right, left);
    return foldPair(coerce(this, a, b, left.at, at), coerce(this, b, a, right.at, at));
  }

  /** `color eq Red`: a bare name compared with an enumeration is one of its members. */
  #side(node: Node, other: Node): Value {
    if (node.kind === 'path' && node.segments.length === 1 && other.kind === 'path' && !this.#names(node)) {
      const property = this.#names(other);
      if (property && typeof property.shape.type === 'object' && 'members' in property.shape.type)
        return enumMember(this, property.shape.type, node.segments[0]!, node.at);
    }
    return this.value(node);
  }

  #names(path: Path): ResolvedProperty | undefined {
    try {
      return this.resolve(path);
    } catch {
      return undefined;
    }
  }

  /**
   * Supports `contains(name,'x') eq true` and `(a eq 1) ne false`; all other comparisons of conditions can be written with `and` and `or`.
   */
  #comparedCondition(node: Binary, operator: string): Predicate {
    const [condition, other] = isCondition(node.left) ? [node.left, node.right] : [node.right, node.left];
    const arg = this.predicate(condition);
    if (other.kind !== 'literal' || other.type !== 'boolean' || (operator !== 'eq' && operator !== 'ne'))
      throw this.error('NotSupported', node.at, "a condition can only be compared by 'eq' or 'ne' with true or false");
    return (operator === 'eq') === other.value ? arg : { kind: 'not', arg };
  }

  #in({ operand, values, at }: In): Predicate {
    const left = this.value(operand);
    const list: Scalar[] = [];
    let absent = false;
    for (const literal of values) {
      const [, constant] = foldPair(left, coerce(this, constantOf(literal), left, literal.at, at));
      const { value } = constant as Constant;
      if (value === null) absent = true;
      // Skipped, because no document has a number that is not finite.
      else if (typeof value !== 'number' || Number.isFinite(value)) list.push(value);
    }
    if (left.kind === 'constant') {
      const found = left.value === null ? absent : list.includes(left.value);
      return found ? ALWAYS : NEVER;
    }
    return { kind: 'in', operand: left, values: list, absent };
  }

  /** A single member matches if it is equal; a collection matches if any of its members is equal. */
  #has({ left, right, at }: Binary): Predicate {
    if (left.kind !== 'path' || right.kind !== 'literal')
      throw this.error('TypeMismatch', at, "'has' takes a property and a member of its enumeration");
    const property = this.resolve(left);
    const { type, collection } = property.shape;
    if (typeof type !== 'object' || !('members' in type))
      throw this.error('TypeMismatch', at, `'has' takes an enumeration, and '${property.path}' is not one`);
    const member = this.#memberOf(type, right);
    if (!collection)
      return { kind: 'compare', operator: 'eq', left: propertyValue(this, property, left.at), right: member };
    const slot = this.#scopes.length;
    const element: ResolvedProperty = { path: property.path, shape: { type }, slot, steps: [] };
    const value: Value = { kind: 'property', property: element, type: 'enum' };
    const body: Predicate = { kind: 'compare', operator: 'eq', left: value, right: member };
    return { kind: 'lambda', operator: 'any', property, slot, body };
  }

  #memberOf(type: EnumShape, literal: Literal): Constant {
    if (literal.type !== 'enum' && literal.type !== 'string')
      throw this.error('TypeMismatch', literal.at, 'expected a member of an enumeration');
    return enumMember(this, type, literal.value, literal.at);
  }

  #lambda({ operator, collection, variable, body, at }: Lambda): Predicate {
    const property = this.resolve(collection);
    if (!property.shape.collection) throw this.error('TypeMismatch', at, `'${property.path}' is not a collection`);
    const slot = this.#scopes.length;
    if (variable === undefined || body === undefined)
      return { kind: 'lambda', operator, property, slot, body: undefined };
    if (slot >= LIMITS.lambdas) throw this.error('TooDeep', at, `more than ${LIMITS.lambdas} levels of any and all`);
    const outer = this.#scopes;
    const { collection: _many, field: _set, entry: _entry, read: _read, ...element } = property.shape;
    this.#scopes = [...outer, { variable, shape: element }];
    const bound = this.predicate(body);
    this.#scopes = outer;
    return { kind: 'lambda', operator, property, slot, body: bound };
  }
}

const isComparison = ({ operator }: Binary): boolean =>
  operator === 'eq' ||
  operator === 'ne' ||
  operator === 'gt' ||
  operator === 'ge' ||
  operator === 'lt' ||
  operator === 'le';

/** Whether the node yields true or false, and never null. */
function isCondition(node: Node): boolean {
  if (node.kind === 'junction' || node.kind === 'in' || node.kind === 'lambda') return true;
  if (node.kind === 'unary') return node.operator === 'not';
  return node.kind === 'binary' && (node.operator === 'has' || isComparison(node));
}

function truthOf(value: Value): Predicate {
  if (value.kind === 'constant') return value.value === true ? ALWAYS : NEVER;
  return { kind: 'compare', operator: 'eq', left: value, right: { kind: 'constant', type: 'boolean', value: true } };
}

const isNotANumber = (value: Value): boolean => value.kind === 'constant' && Number.isNaN(value.value);

function constantComparison(
  operator: 'eq' | 'ne' | 'gt' | 'ge' | 'lt' | 'le',
  left: Constant,
  right: Constant,
): Predicate {
  return compareValues(operator, left.value, right.value) ? ALWAYS : NEVER;
}
