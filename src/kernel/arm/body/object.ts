import { Type } from 'typebox';
import { isObject } from '../../values/objects.ts';
import {
  type AnyMembers,
  type Field,
  type FieldOptions,
  type MembersDraft,
  type MembersValue,
  memberSchema,
  type PresenceOf,
  type Shape,
} from './field.ts';
import { complain, wrongType } from './leaves.ts';
import { MemberNames } from './names.ts';
import { joined } from './path.ts';
import type { Place } from './place.ts';

export interface ObjectOptions<Context, M> extends FieldOptions {
  /** If absent, parsed as an empty object, so that its required members are reported as missing. */
  readonly implied?: boolean;
  /** Members whose mistakes come first, if that differs from the order of declaration. */
  readonly first?: readonly (keyof M & string)[];
  /** The members are checked, but the object is kept as sent. */
  readonly asSent?: boolean;
  /** A rule about several members. */
  readonly check?: (draft: MembersDraft<M>, at: Place<Context>) => void;
}

/** An object. Names match in any case and by alias, null counts as absent, and unknown members are ignored. */
export function object<Context, const M extends AnyMembers<Context>, const O extends ObjectOptions<Context, M>>(
  members: M,
  options: O,
): Field<MembersValue<M>, MembersDraft<M>, Context, PresenceOf<O>> {
  const { check, implied = false, first = [], asSent = false } = options;
  const names = new MemberNames(members, first);
  const read = (given: unknown, at: Place<Context>): MembersDraft<M> | undefined => {
    if (!isObject(given)) return wrongType(at, { type: 'object' });
    const draft = readMembers(members, names, given, at);
    check?.(draft, at);
    return asSent ? (given as MembersDraft<M>) : draft;
  };
  return {
    options,
    shape: { kind: 'object', members: () => members },
    schema: () => membersSchema(members),
    read,
    ...(implied && { absent: (at) => read({}, at) }),
  };
}

export const membersSchema = (members: AnyMembers) =>
  Type.Object(Object.fromEntries(Object.entries(members).map(([name, field]) => [name, memberSchema(field)])));

/** The result contains only declared members, in the order of declaration. */
export function readMembers<Context, M extends AnyMembers<Context>>(
  members: M,
  names: MemberNames,
  given: Readonly<Record<string, unknown>>,
  at: Place<Context>,
): MembersDraft<M> {
  at.ordered(names.steps);
  const sent = names.pick(given);
  const { rules } = at.reading;
  const draft: Record<string, unknown> = {};
  for (const [name, field] of Object.entries<AnyMembers<Context>[string]>(members)) {
    const isRequired = rules?.requires(joined(at.field, name)) ?? false;
    const value = readMember(field, sent.get(name), isRequired, () => at.member(name, sent.get(name)));
    if (value !== undefined) draft[name] = value;
  }
  // Each member was parsed by its own field.
  return draft as MembersDraft<M>;
}

function readMember<Context>(
  { options, shape, read, absent }: AnyMembers<Context>[string],
  given: unknown,
  isRequired: boolean,
  place: () => Place<Context>,
): unknown {
  const required = options.required ?? isRequired;
  if (given === undefined || given === null) {
    if (!required && !absent) return options.default;
    const at = place();
    if (required) complain(at, 'missing', { type: 'string' }, required === true ? undefined : required);
    return absent ? absent(at) : options.default;
  }
  const at = place();
  if (!required || options.emptyIsValue || !isEmpty(shape, given, at.reading.blankIsMissing)) return read(given, at);
  complain(at, 'missing', { type: 'string' }, required === true ? undefined : required);
  return given;
}

/** Only for texts and lists; for other shapes an empty text or list is a wrong type. */
function isEmpty({ kind }: Shape, value: unknown, blankIsMissing: boolean): boolean {
  if (kind === 'text') return typeof value === 'string' && (blankIsMissing ? value.trim() : value) === '';
  return kind === 'list' && Array.isArray(value) && value.length === 0;
}
