import { suggestion } from '../config/index.ts';
import type { Path } from './ast.ts';
import type { Binder } from './bind.ts';
import type { ResolvedProperty, Step, Value } from './bound.ts';
import { declaredName, isWhole, kindOf, type PropertyShape } from './shape.ts';

/** A lambda variable and the collection that it iterates over. */
export interface Scope {
  readonly variable: string;
  readonly shape: PropertyShape;
}

const MOST_NAMES = 24;
const LONGEST_SHOWN = 200;

/** Resolves a path to a property, starting at the document or at an enclosing lambda variable. */
export function resolve(binder: Binder, scopes: readonly Scope[], path: Path): ResolvedProperty {
  const { segments, at } = path;
  const written = (segments.length === 1 ? segments[0]! : segments.join('/')).slice(0, LONGEST_SHOWN);
  const slot = scopes.findLastIndex(({ variable }) => variable === segments[0]);
  let names = segments;
  let shape: PropertyShape = { type: { properties: binder.shape.properties } };
  if (slot >= 0) {
    shape = scopes[slot]!.shape;
    names = segments.slice(1);
  } else if (segments[0] === '$it') names = segments.slice(1);
  const steps: Step[] = [];
  for (const name of names) {
    if (shape.collection)
      throw binder.error('TypeMismatch', at, `'${written}' goes through a collection; use any or all`);
    if (name.includes('.'))
      throw binder.error('NotSupported', at, `a path through the type '${name.slice(0, 60)}' is not supported`);
    if (typeof shape.type === 'string' || !('properties' in shape.type))
      throw binder.error('UnknownProperty', at, `'${written}' continues after a property that has no members`);
    const declared = declaredName(shape.type.properties, name);
    if (declared === undefined) {
      const known = Object.keys(shape.type.properties);
      throw binder.error(
        'UnknownProperty',
        at,
        `there is no property '${name.slice(0, 60)}'${suggestion(name, known)}; ${list(known)}`,
      );
    }
    shape = shape.type.properties[declared]!;
    steps.push(shape.read ? { name: declared, read: shape.read } : { name: declared });
  }
  if (shape.filterable === false)
    throw binder.error('NotSupported', at, `'${written}' cannot be used in a filter or an order`);
  return { path: written, shape, slot, steps };
}

const list = (names: readonly string[]): string =>
  names.length > MOST_NAMES
    ? `the first of the ${names.length} are ${names.slice(0, MOST_NAMES).join(', ')}`
    : `use one of ${names.join(', ')}`;

/** Returns a property as a single value. */
export function propertyValue(binder: Binder, property: ResolvedProperty, at: number): Value {
  const { shape, path } = property;
  if (shape.collection) throw binder.error('TypeMismatch', at, `'${path}' is a collection; use any or all`);
  const type = kindOf(shape);
  if (type === 'complex') throw binder.error('TypeMismatch', at, `'${path}' is an object; name one of its members`);
  return { kind: 'property', property, type, whole: isWhole(shape), folded: shape.ignoreCase === true };
}
