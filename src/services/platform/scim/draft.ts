import { isObject, type Json, type JsonMembers, omitAbsent } from '../../../kernel/values/index.ts';
import type { Entitlements, Principal } from '../accounts/collections.ts';
import { ENTITLEMENTS } from '../accounts/entitlements.ts';
import { RESOURCE_KINDS } from './attributes.ts';
import { invalid, shown } from './errors.ts';
import { booleanOf, member } from './match.ts';
import type { ScimPlace } from './place.ts';
import { isActiveIn } from './view.ts';

/** The new state of a resource, as parsed from a body. */
export interface Draft {
  readonly userName?: string;
  readonly applicationId?: string;
  readonly displayName?: string;
  readonly name?: NonNullable<Principal['name']>;
  readonly emails?: NonNullable<Principal['emails']>;
  readonly externalId?: string;
  readonly active?: boolean;
  readonly entitlements: readonly string[];
  readonly roles: readonly string[];
  /** Ids of groups that a new resource joins. Later changes are made on the group. */
  readonly groups: readonly string[];
}

const LONGEST_TEXT = 1024;
const LONGEST_NAME = 255;
const MOST_VALUES = 100;
const ADDRESS = /^[^\s@]+@[^\s@]+$/;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The attributes of a resource that PATCH changes and PUT replaces, in the form of a body. Members are handled separately. */
export const bodyOf = (place: ScimPlace, principal: Principal, given: Entitlements | undefined): JsonMembers => {
  const { userName, applicationId, displayName, name, emails, externalId } = principal;
  const { workspace, kind } = place;
  const wrapped = (list: readonly string[]) => list.map((value) => ({ value }));
  return omitAbsent({
    userName,
    applicationId,
    displayName,
    name,
    emails,
    externalId,
    active: kind === 'group' ? undefined : isActiveIn(principal, workspace?.id),
    entitlements: wrapped(given?.entitlements ?? []),
    roles: wrapped(workspace ? (given?.roles ?? []) : principal.roles),
  });
};

export function readDraft({ kind, workspace }: ScimPlace, body: JsonMembers): Draft {
  const { login } = RESOURCE_KINDS[kind];
  const text = (name: string, longest = LONGEST_TEXT): string | undefined => textIn(body, name, longest);
  const ofUser = kind === 'user';
  const draft: Draft = omitAbsent({
    userName: ofUser ? text('userName', LONGEST_NAME) : undefined,
    applicationId: kind === 'servicePrincipal' ? text('applicationId', LONGEST_NAME) : undefined,
    displayName: text('displayName', LONGEST_NAME),
    externalId: text('externalId'),
    name: ofUser ? nameIn(body) : undefined,
    emails: ofUser ? emailsIn(body) : undefined,
    active: kind === 'group' ? undefined : booleanIn(body, 'active'),
    entitlements: workspace ? valuesIn(withoutEmpty(body, 'entitlements'), 'entitlements') : [],
    roles: valuesIn(withoutEmpty(body, 'roles'), 'roles'),
    groups: valuesIn(body, 'groups'),
  });
  if (login !== 'applicationId' && draft[login] === undefined)
    throw invalid('invalidValue', `Missing required field: ${login}`);
  for (const value of draft.entitlements)
    if (!ENTITLEMENTS.some((each) => each === value))
      throw invalid('invalidValue', `'${shown(value)}' is not an entitlement; they are ${ENTITLEMENTS.join(', ')}.`);
  return draft;
}

/** Validates a new name; names from the directory are not validated. */
export function checkLogin({ userName, applicationId }: Draft): void {
  if (userName !== undefined && !ADDRESS.test(userName))
    throw invalid('invalidValue', `userName must be an e-mail address, not '${shown(userName)}'.`);
  if (applicationId !== undefined && !UUID.test(applicationId))
    throw invalid('invalidValue', `applicationId must be a UUID, not '${shown(applicationId)}'.`);
}

const wrong = (name: string, what: string) =>
  invalid('invalidValue', `Could not parse request object: the attribute '${name}' must be ${what}.`);

/** Older clients send `[{ "value": x }]` for the single-valued attribute `x`. */
export function unwrapped(value: Json | undefined): Json | undefined {
  const only = Array.isArray(value) && value.length === 1 ? (value as readonly Json[])[0] : value;
  if (!isObject(only) || !('value' in only)) return Array.isArray(value) ? value : only;
  return (only as JsonMembers).value;
}

/** Empty texts count as absent. */
function textIn(body: JsonMembers, name: string, longest: number): string | undefined {
  const value = unwrapped(member(body, name));
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value !== 'string') throw wrong(name, 'a string');
  if (value.length > longest)
    throw invalid('invalidValue', `The attribute '${name}' has at most ${longest} characters.`);
  return value;
}

function booleanIn(body: JsonMembers, name: string): boolean | undefined {
  const value = unwrapped(member(body, name));
  if (value === undefined || value === null) return undefined;
  const read = typeof value === 'boolean' ? value : typeof value === 'string' ? booleanOf(value) : undefined;
  if (read === undefined) throw wrong(name, 'true or false');
  return read;
}

function nameIn(body: JsonMembers): Principal['name'] {
  const name = member(body, 'name');
  if (name === undefined || name === null) return undefined;
  if (!isObject(name)) throw wrong('name', 'an object');
  const members = name as JsonMembers;
  return omitAbsent({
    givenName: textIn(members, 'givenName', LONGEST_NAME),
    familyName: textIn(members, 'familyName', LONGEST_NAME),
  });
}

/** The values of a list, whose entries are `{ "value": x }` or plain `x`. */
export function listIn(body: JsonMembers, name: string, most = MOST_VALUES): readonly JsonMembers[] {
  const value = member(body, name);
  if (value === undefined || value === null) return [];
  const list = Array.isArray(value) ? (value as readonly Json[]) : [value];
  if (list.length > most) throw invalid('invalidValue', `The attribute '${name}' has at most ${most} values.`);
  return list.map((each) => {
    if (typeof each === 'string' || typeof each === 'number') return { value: String(each) };
    if (!isObject(each)) throw wrong(name, "a list of objects with a 'value'");
    return each as JsonMembers;
  });
}

/** Terraform's provider sends `[{}]` and `[{ "value": "" }]` for no entitlements at all. */
const withoutEmpty = (body: JsonMembers, name: string): JsonMembers => ({
  [name]: listIn(body, name).filter(({ value }) => value !== undefined && value !== null && value !== ''),
});

export function valuesIn(body: JsonMembers, name: string, most?: number): readonly string[] {
  const values = listIn(body, name, most).map(({ value }) => {
    const text = typeof value === 'number' ? String(value) : value;
    if (typeof text !== 'string' || text === '' || text.length > LONGEST_NAME)
      throw wrong(`${name}.value`, `a string of 1 to ${LONGEST_NAME} characters`);
    return text;
  });
  return [...new Set(values)];
}

function emailsIn(body: JsonMembers): Principal['emails'] {
  const emails = listIn(body, 'emails').map((each) => {
    const value = textIn(each, 'value', LONGEST_NAME);
    if (value === undefined || !ADDRESS.test(value)) throw wrong('emails.value', 'an e-mail address');
    return omitAbsent({ value, type: textIn(each, 'type', LONGEST_NAME), primary: booleanIn(each, 'primary') });
  });
  return emails.length > 0 ? emails : undefined;
}
