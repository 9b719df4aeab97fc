import type { AnyMembers, Field, FieldOptions } from './field.ts';
import {
  boolean,
  custom,
  int32,
  integer,
  type JsonObject,
  json,
  type LeafOptions,
  type NumberOptions,
  number,
  type TextOptions,
  type TimeOptions,
  text,
  time,
} from './leaves.ts';
import { type ListOptions, list, type MapOptions, map } from './list.ts';
import { type ObjectOptions, object } from './object.ts';
import type { Place } from './place.ts';
import { resourceId } from './resource-id.ts';
import { type UnionDraft, type UnionOptions, type UnionRule, union, type Variants } from './union.ts';
import { type WordOptions, word } from './words.ts';

const orNone = <Options extends object>(options: Options | undefined): Options => options ?? ({} as Options);

/**
 * The kinds of fields of bodies whose own rules need a `Context`: `const { object, text } = bodyFields<{ now: number }>()`. Rules get it as
 * `at.context`; `readBody` requires it.
 */
export function bodyFields<C = unknown>() {
  return {
    text: <const O extends TextOptions<C> = TextOptions<C>>(options?: O) => text<C, O>(orNone(options)),
    time: <const O extends TimeOptions<C> = TimeOptions<C>>(options?: O) => time<C, O>(orNone(options)),
    number: <const O extends NumberOptions<C> = NumberOptions<C>>(options?: O) => number<C, O>(orNone(options)),
    integer: <const O extends NumberOptions<C> = NumberOptions<C>>(options?: O) => integer<C, O>(orNone(options)),
    int32: <const O extends NumberOptions<C> = NumberOptions<C>>(options?: O) => int32<C, O>(orNone(options)),
    boolean: <const O extends LeafOptions<C, boolean> = LeafOptions<C, boolean>>(options?: O) =>
      boolean<C, O>(orNone(options)),
    json: <const O extends LeafOptions<C, JsonObject> = LeafOptions<C, JsonObject>>(options?: O) =>
      json<C, O>(orNone(options)),
    word: <const W extends string, const O extends WordOptions<C, W> = WordOptions<C, W>>(
      words: readonly W[],
      options?: O,
    ) => word<C, W, O>(words, orNone(options)),
    resourceId: <const O extends LeafOptions<C, string> = LeafOptions<C, string>>(type: string, options?: O) =>
      resourceId<C, O>(type, orNone(options)),
    object: <const M extends AnyMembers<C>, const O extends ObjectOptions<C, M> = ObjectOptions<C, M>>(
      members: M,
      options?: O,
    ) => object<C, M, O>(members, orNone(options)),
    list: <V, D, const O extends ListOptions<C, D> = ListOptions<C, D>>(entry: Field<V, D, C>, options?: O) =>
      list<C, V, D, O>(entry, orNone(options)),
    map: <V, D, const O extends MapOptions = MapOptions>(entry: Field<V, D, C>, options?: O) =>
      map<C, V, D, O>(entry, orNone(options)),
    union: <
      const By extends string,
      const V extends Variants<C>,
      const O extends UnionOptions<C, AnyMembers<C>> = UnionOptions<C, AnyMembers<C>>,
    >(
      by: By,
      variants: V,
      options?: O,
      rule?: UnionRule<C, UnionDraft<By, V, O>>,
    ) => union<C, By, V, O>(by, variants, orNone(options), rule),
    custom: <T, const O extends FieldOptions & { readonly default?: T } = FieldOptions & { readonly default?: T }>(
      parse: (given: unknown, at: Place<C>) => T | undefined,
      options?: O,
    ) => custom<C, T, O>(parse, orNone(options)),
  };
}
