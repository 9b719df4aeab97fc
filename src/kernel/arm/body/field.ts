import { type TSchema, Type } from 'typebox';
import type { Complaint, Place } from './place.ts';

/** What every field may have. */
export interface FieldOptions {
  /** Has to be there, and neither be an empty text nor an empty list. A complaint says so in words of its own. */
  readonly required?: true | Complaint;
  /** An empty text is a value like any other, and not missing. */
  readonly emptyIsValue?: boolean;
  /** Other names, which are read where the name itself is not there. */
  readonly aliases?: readonly string[];
  /** Accepted and never shown. */
  readonly secret?: boolean;
  /** Stays as it is once the resource exists. */
  readonly immutable?: boolean;
  /** For the OpenAPI document. */
  readonly description?: string;
}

/** Types only, for inference; no field has them at run time. */
declare const VALUE: unique symbol;
declare const PRESENT: unique symbol;

/**
 * One field of a body: how it is read, and how the OpenAPI document describes it.
 *
 * `Value` is what it is in a body without mistakes. `Draft` is what rules see while there may be mistakes: any member can be missing,
 * and a word that is on no list is still there as it was sent. `Context` is what its own rules need to know beside the body. `Present`
 * says whether the member of an object is always there.
 */
export interface Field<out Value, out Draft, in Context = unknown, out Present extends boolean = boolean> {
  readonly [VALUE]?: Value;
  readonly [PRESENT]?: Present;
  readonly options: FieldOptions & { readonly default?: unknown };
  /** `given` is what was sent; undefined where it cannot be read, which is a mistake then. */
  readonly read: (given: unknown, at: Place<Context>) => Draft | undefined;
  /** What it is where nothing was sent. */
  readonly absent?: (at: Place<Context>) => Draft | undefined;
  readonly schema: () => TSchema;
  readonly shape: Shape;
}

/** The inside of a field, for what goes through values after they have been read. */
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

/** A member is always there if it is required, has a default or is made where it was not sent. */
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

/** The schema of a member: it may be left out or be null, which means the same. Whether it may be missing is said by the reader. */
export function memberSchema({ schema, options }: AnyField): TSchema {
  const { description } = options;
  const declared: Typed = schema();
  const type = declared.type === undefined ? {} : { type: [declared.type, 'null'].flat() };
  return Type.Optional({ ...declared, ...(description !== undefined && { description }), ...type } as TSchema);
}
