import { Type } from 'typebox';
import { isObject } from '../../values/objects.ts';
import type { Field, FieldOptions, PresenceOf } from './field.ts';
import { complain, wrongType } from './leaves.ts';
import type { Complaint, Place } from './place.ts';

export interface ListOptions<Context, Draft> extends FieldOptions {
  /** A longer list is rejected without reading its entries. */
  readonly max?: number;
  readonly tooMany?: Complaint;
  /** A rule for each entry; `before` contains the entries before it. */
  readonly each?: (entry: Draft, at: Place<Context>, before: readonly Draft[]) => void;
  /** A rule for the whole list. */
  readonly check?: (entries: readonly Draft[], at: Place<Context>) => void;
}

/** Entries that cannot be parsed are mistakes, and left out. */
export function list<Context, Value, Draft, const O extends ListOptions<Context, Draft>>(
  entry: Field<Value, Draft, Context>,
  options: O,
): Field<readonly Value[], readonly Draft[], Context, PresenceOf<O>> {
  const { max, tooMany, each, check } = options;
  return {
    options,
    shape: { kind: 'list', entry },
    schema: () => Type.Array(entry.schema()),
    read(given, at) {
      if (!Array.isArray(given)) return wrongType(at, { type: 'array' });
      if (max !== undefined && given.length > max) {
        complain(at, 'count', { type: 'array', max }, tooMany);
        return undefined;
      }
      const entries: Draft[] = [];
      for (const [index, value] of given.entries()) {
        if (index >= at.reading.unreadBeyond) {
          // The service rejects the list because of its length, without reading the entries.
          entries.push(value as Draft);
          continue;
        }
        const place = at.entry(index, value);
        const read = entry.read(value, place);
        if (read === undefined) continue;
        each?.(read, place, entries);
        entries.push(read);
      }
      check?.(entries, at);
      return entries;
    },
  };
}

export interface MapOptions extends FieldOptions {
  /** The value of an entry may be null with a meaning of its own, for example to remove the entry. */
  readonly nulls?: boolean;
}

type MapOf<T, O> = { readonly [key: string]: O extends { readonly nulls: true } ? T | null : T };

/** A map whose keys the client chooses. */
export function map<Context, Value, Draft, const O extends MapOptions>(
  entry: Field<Value, Draft, Context>,
  options: O,
): Field<MapOf<Value, O>, MapOf<Draft, O>, Context, PresenceOf<O>> {
  const { nulls = false } = options;
  return {
    options,
    shape: { kind: 'map', entry },
    schema: () => {
      const schema = entry.schema();
      return Type.Record(Type.String(), nulls ? Type.Union([schema, Type.Null()]) : schema);
    },
    read(given, at) {
      if (!isObject(given)) return wrongType(at, { type: 'object' });
      const entries = Object.entries(given).flatMap(([key, value], index): [string, Draft | null][] => {
        if (value === null && nulls) return [[key, null]];
        const read = entry.read(value, at.key(key, index, value, nulls));
        return read === undefined ? [] : [[key, read]];
      });
      // `Object.fromEntries` defines members, so `__proto__` is an ordinary key.
      return Object.fromEntries(entries) as MapOf<Draft, O>;
    },
  };
}
