import { Type } from 'typebox';
import { isObject } from '../../values/objects.ts';
import type { AnyMembers, Field, FieldOptions, MembersDraft, MembersValue, PresenceOf } from './field.ts';
import { complain, wrongType } from './leaves.ts';
import { MemberNames } from './names.ts';
import { membersSchema, readMembers } from './object.ts';
import type { Complaint, Place } from './place.ts';
import { wordsAt } from './words.ts';

export type Variants<Context> = Readonly<Record<string, AnyMembers<Context>>>;

export interface UnionOptions<Context, Common> extends FieldOptions {
  /** Members of all variants; they come before the discriminator. */
  readonly common?: Common;
  /** Replace the default errors for a missing or unknown discriminator. */
  readonly missingWord?: Complaint;
  readonly wrongWord?: Complaint;
  /** Members that are read if the discriminator is unknown; if it is missing, only with `otherwiseWhenMissing`. */
  readonly otherwise?: AnyMembers<Context>;
  readonly otherwiseWhenMissing?: boolean;
}

/** Separate from the other options, because its type depends on them. */
export interface UnionRule<Context, Draft> {
  /** A rule about several members. */
  readonly check?: (draft: Draft, at: Place<Context>) => void;
}

type UnionValue<By extends string, V, Common> = {
  [Word in keyof V]: { readonly [Name in By]: Word } & MembersValue<Common> & MembersValue<V[Word]>;
}[keyof V];

/** Without the discriminator if it is missing or unknown. */
export type UnionDraft<By extends string, V, O> =
  | { [Word in keyof V]: { readonly [Name in By]: Word } & MembersDraft<CommonOf<O>> & MembersDraft<V[Word]> }[keyof V]
  | ({ readonly [Name in By]?: undefined } & MembersDraft<CommonOf<O>> & MembersDraft<OtherwiseOf<O>>);

type CommonOf<O> = O extends { readonly common: infer Common } ? Common : Record<never, never>;
type OtherwiseOf<O> = O extends { readonly otherwise: infer Members } ? Members : Record<never, never>;

/** An object whose other members depend on a discriminator, such as `endpointType`. */
export function union<
  Context,
  const By extends string,
  const V extends Variants<Context>,
  const O extends UnionOptions<Context, AnyMembers<Context>>,
>(
  by: By,
  variants: V,
  options: O,
  { check }: UnionRule<Context, UnionDraft<By, V, O>> = {},
): Field<UnionValue<By, V, CommonOf<O>>, UnionDraft<By, V, O>, Context, PresenceOf<O>> {
  const words = Object.keys(variants);
  const { common = {}, missingWord, wrongWord, otherwise = {}, otherwiseWhenMissing = false } = options;
  const nothing: AnyMembers<Context> = {};
  const before = [...Object.keys(common), by];
  const namesOf = new Map<AnyMembers<Context>, MemberNames>(
    [...Object.values(variants), otherwise, nothing].map((members) => [members, new MemberNames(members, before)]),
  );
  const commonNames = new MemberNames(common, before);
  return {
    options,
    shape: {
      kind: 'object',
      members: (value) => ({ ...common, ...(variants[String(value[by])] ?? otherwise) }),
    },
    // Describes only the common members; the parser checks the others.
    schema: () =>
      Type.Object({
        ...membersSchema(common).properties,
        [by]: Type.Optional({ ...Type.String({ description: words.join(', ') }), type: ['string', 'null'] } as never),
      }),
    read(given, at) {
      if (!isObject(given)) return wrongType(at, { type: 'object' });
      const shared = readMembers(common, commonNames, given, at);
      const sent = commonNames.pick(given).get(by) ?? undefined;
      const place = at.member(by, sent);
      const known = wordsAt(place, words);
      const found = typeof sent === 'string' ? known.find(sent) : undefined;
      const missing = sent === undefined && !otherwiseWhenMissing;
      const members = (found === undefined ? undefined : variants[found]) ?? (missing ? nothing : otherwise);
      const names = namesOf.get(members) ?? commonNames;
      at.ordered(names.steps);
      if (found === undefined) complainOfWord(at.member(by, sent), sent, known.written);
      const word = found === undefined ? {} : { [by]: found };
      // The members of one variant, each parsed by its own field.
      const draft = { ...shared, ...word, ...readMembers(members, names, given, at) } as UnionDraft<By, V, O>;
      check?.(draft, at);
      return draft;
    },
  };

  function complainOfWord(place: Place<Context>, sent: unknown, written: readonly string[]): void {
    if (sent === undefined) complain(place, 'missing', { type: 'string', words: written }, missingWord);
    else if (typeof sent !== 'string') wrongType(place, { type: 'string' });
    else complain(place, 'word', { type: 'string', words: written }, wrongWord);
  }
}
