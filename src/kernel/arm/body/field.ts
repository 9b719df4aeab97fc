import { type TSchema, Type } from 'typebox';
import type { Complaint, Place } from './place.ts';

/** Options that every kind of field has. */
export interface FieldOptions {
  /** Must be present, and neither an empty text nor an empty list. A `Complaint` replaces the default error. */
  readonly required?: true | Complaint;
  /** An empty text counts as a value, not as missing. */
  readonly emptyIsValue?: boolean;
  /** Other names, read if the name itself is absent. */
  readonly aliases?: readonly string[];
  /** Accepted, but never returned. */
  readonly secret?: boolean;
  /** Cannot change once the resource exists. */
  readonly immutable?: boolean;
  /** For the OpenAPI document. */
  readonly description?: string;
}

/** For type inference only; not present at run time. */
declare const VALUE: unique symbol;
declare const PRESENT: unique symbol;

/**
 * One field of a body: how it is parsed, and how the OpenAPI document describes it.
 * `Value` is its type in a valid body. `Draft` is its type while the body may have mistakes: any member can be missing, and a word that is
 * not on its list is kept as sent. `Context` is what its own rules need in addition to the body. `Present` says whether the member of an
 * object is always present.
 */
export interface Field<out Value, out Draft, in Context = unknown, out Present extends boolean = boolean> {
  readonly [VALUE]?: Value;
  readonly [PRESENT]?: Present;
  readonly options: FieldOptions & { readonly default?: unknown };
  /** Parses `given`. Returns undefined and adds a mistake if it cannot be parsed. */
  readonly read: (given: unknown, at: Place<Context>) => Draft | undefined;
  /** The value if the field is absent. */
  readonly absent?: (at: Place<Context>) => Draft | undefined;
  readonly schema: () => TSchema;
  readonly shape: Shape;
}

/** Structure of a field, for code that walks values after parsing. */
export type Shape =
  | { readonly kind: 'text' | 'leaf' }
  | { readonly kind: 'object'; members(value: Readonly<Record<string, unknown>>): AnyMembers }
  | { readonly kind: 'list' | 'map'; readonly entry: AnyField };

export const TEXT: Shape = { kind: 'text' };
export const LEAF: Shape = { kind: 'leaf' };

export type AnyField<Context = never> = Field<unknown, unknown, Context>;
export type AnyMembers<Context = never> = Readonly<Record<string, AnyField<Context>>>;

export type ValueOf<F> = F extends Field<infer Value, unknown, never> ? Value : never;
export type DraftOf<F> = F extends Field<unknown, infer Draft, never> ? Draft : never;

/** A member is always present if it is required, has a default or is created when absent. */
export type PresenceOf<Options> = Options extends
  | { readonly required: true | Complaint }
  | { readonly default: unknown }
  | { readonly implied: true }
  ? true
  : false;

type IsPresent<F> = F extends { readonly [PRESENT]?: infer Present } ? Present : false;
type Plain<T> = { readonly [Key in keyof T]: T[Key] };

export type MembersValue<M> = Plain<
  { readonly [Name in keyof M as IsPresent<M[Name]> extends true ? Name : never]: ValueOf<M[Name]> } & {
    readonly [Name in keyof M as IsPresent<M[Name]> extends true ? never : Name]?: ValueOf<M[Name]>;
  }
>;

export type MembersDraft<M> = { readonly [Name in keyof M]?: DraftOf<M[Name]> };

type Typed = TSchema & { readonly type?: string | readonly string[] };

/** Schema of a member: it may be absent or null, which are equivalent. The parser checks whether it is required. */
export function memberSchema({ schema, options }: AnyField): TSchema {
  const { description } = options;
  const declared: Typed = schema();
  const type = declared.type === undefined ? {} : { type: [declared.type, 'null'].flat() };
  return Type.Optional({ ...declared, ...(description !== undefined && { description }), ...type } as TSchema);
}
