import { isList, isObject, type Json, type JsonMembers } from '../../../kernel/values/index.ts';
import { type Attribute, RESOURCE_KINDS } from './attributes.ts';
import { listIn, unwrapped } from './draft.ts';
import { invalid, shown } from './errors.ts';
import { comparisonsOf, type ScimFilter } from './filter.ts';
import { matches, member } from './match.ts';
import { MemberEdit } from './member-edit.ts';
import { type PatchPath, parsePath } from './patch-path.ts';
import type { ScimPlace } from './place.ts';

/** PATCH of RFC 7644, 3.5.2: applies operations to a resource in the form of a body, in order, all or none. */

const MOST_VALUES = 100;
const MOST_OPERATIONS = 10_000;
/** Limit of the comparisons of all values with the filters of all paths of a request, during which no other request is served. */
const MOST_COMPARISONS = 100_000;

export interface Patched {
  readonly body: JsonMembers;
  /** For groups: changes of the members. */
  readonly members: MemberEdit;
}

type Op = 'add' | 'remove' | 'replace';

interface Operation {
  readonly op: Op;
  readonly path: PatchPath | undefined;
  readonly value: Json | undefined;
}

export function applyPatch(place: ScimPlace, before: JsonMembers, request: unknown): Patched {
  const body: Record<string, Json | undefined> = { ...before };
  const patched: Draft = { body, members: new MemberEdit(), comparisons: 0 };
  for (const operation of operationsIn(request)) {
    const { op, path, value } = operation;
    if (path) {
      applyAt(place, patched, op, path, value);
      continue;
    }
    if (op === 'remove') throw invalid('noTarget', "An operation 'remove' needs a path.");
    if (!isObject(value))
      throw invalid('invalidValue', `An operation '${op}' without a path needs an object as value.`);
    for (const [name, each] of Object.entries(value as JsonMembers)) applyMember(place, patched, op, name, each);
  }
  return { body: body as JsonMembers, members: patched.members };
}

/** In a value without a path, unknown members are ignored, as in any body. */
function applyMember(place: ScimPlace, patched: Draft, op: Op, name: string, value: Json | undefined): void {
  let path: PatchPath;
  try {
    path = parsePath(name);
  } catch {
    return;
  }
  const attribute = RESOURCE_KINDS[place.kind].attributes.get(path.attribute);
  if (attribute && attribute.written !== 'server') applyAt(place, patched, op, path, value);
}

function operationsIn(request: unknown): readonly Operation[] {
  const list = isObject(request) ? member(request as JsonMembers, 'Operations') : undefined;
  if (list === undefined || list === null) throw invalid('invalidSyntax', 'Missing required field: Operations');
  if (!isList(list)) throw invalid('invalidSyntax', 'Could not parse request object: Operations must be a list.');
  if (list.length > MOST_OPERATIONS)
    throw invalid('invalidSyntax', `A request has at most ${MOST_OPERATIONS} operations.`);
  return list.map((each) => {
    if (!isObject(each))
      throw invalid('invalidSyntax', 'Could not parse request object: an operation must be an object.');
    const members = each as JsonMembers;
    const op = String(member(members, 'op') ?? '').toLowerCase();
    if (op !== 'add' && op !== 'remove' && op !== 'replace')
      throw invalid('invalidSyntax', `'${shown(op)}' is not an operation; they are add, remove and replace.`);
    const path = member(members, 'path');
    if (path !== undefined && path !== null && typeof path !== 'string')
      throw invalid('invalidPath', 'Could not parse request object: a path must be a string.');
    return { op, path: path ? parsePath(path) : undefined, value: member(members, 'value') };
  });
}

interface Draft {
  readonly body: Record<string, Json | undefined>;
  readonly members: MemberEdit;
  /** Number of comparisons made by path filters so far. */
  comparisons: number;
}

function countComparisons(draft: Draft, filter: ScimFilter, values: number): void {
  draft.comparisons += comparisonsOf(filter) * values;
  if (draft.comparisons > MOST_COMPARISONS)
    throw invalid('invalidFilter', `The paths of a request make at most ${MOST_COMPARISONS} comparisons.`);
}

function applyAt({ kind }: ScimPlace, draft: Draft, op: Op, path: PatchPath, value: Json | undefined): void {
  const { body, members } = draft;
  const { attributes, title } = RESOURCE_KINDS[kind];
  const attribute = attributes.get(path.attribute);
  if (!attribute) throw invalid('invalidPath', `A ${title} has no attribute '${shown(path.attribute)}'.`);
  const { name, type, written } = attribute;
  if (written === 'server') throw invalid('mutability', `The attribute '${name}' cannot be changed here.`);
  if (op !== 'remove' && value === undefined) throw invalid('invalidValue', `An operation '${op}' needs a value.`);
  if (written === 'members') members.apply(op, path, value);
  else if (type === 'values') {
    const before = listIn(body as JsonMembers, name);
    if (path.filter) countComparisons(draft, path.filter, before.length);
    body[name] = changedValues(attribute, before, op, path, value);
  } else if (path.filter)
    throw invalid('invalidPath', `The attribute '${name}' has a single value and cannot be filtered.`);
  else if (type === 'complex') body[name] = changedMembers(attribute, body[name], op, path, value);
  else if (path.sub !== undefined) throw invalid('invalidPath', `The attribute '${name}' has no sub-attributes.`);
  else body[name] = op === 'remove' ? undefined : unwrapped(value);
}

function subOf({ name, subs = [] }: Attribute, sub: string): string {
  const known = subs.find((each) => each.toLowerCase() === sub);
  if (known === undefined)
    throw invalid('invalidPath', `The attribute '${name}' has no sub-attribute '${shown(sub)}'.`);
  return known;
}

function changedMembers(
  attribute: Attribute,
  before: Json | undefined,
  op: Op,
  { sub }: PatchPath,
  value: Json | undefined,
): JsonMembers {
  const held = isObject(before) ? (before as JsonMembers) : {};
  if (sub !== undefined) return { ...held, [subOf(attribute, sub)]: op === 'remove' ? undefined : unwrapped(value) };
  if (op === 'remove') return {};
  const given = isList(value) && value.length === 1 ? value[0] : value;
  if (!isObject(given)) throw invalid('invalidValue', `The attribute '${attribute.name}' must be an object.`);
  return op === 'add' ? { ...held, ...(given as JsonMembers) } : (given as JsonMembers);
}

function changedValues(
  attribute: Attribute,
  before: readonly JsonMembers[],
  op: Op,
  { filter, sub }: PatchPath,
  value: Json | undefined,
): readonly JsonMembers[] {
  const { name } = attribute;
  const part = sub === undefined ? undefined : subOf(attribute, sub);
  const given = (): readonly JsonMembers[] => listIn({ [name]: value }, name, MOST_VALUES);
  if (!filter && part === undefined) {
    if (op === 'replace') return given();
    if (op === 'add') return joined(attribute, before, given());
    if (value === undefined || value === null) return [];
    const gone = new Set(given().map(keyOf));
    return before.filter((each) => !gone.has(keyOf(each)));
  }
  const meant = new Set(before.filter((each) => !filter || matches(filter, each)));
  const isMeant = (each: JsonMembers): boolean => meant.has(each);
  if (op === 'remove') {
    if (part === undefined) return before.filter((each) => !isMeant(each));
    return before.map((each) => (isMeant(each) ? { ...each, [part]: undefined } : each));
  }
  const change: JsonMembers = part === undefined ? (given()[0] ?? {}) : { [part]: unwrapped(value) };
  if (meant.size > 0)
    return before.map((each) =>
      isMeant(each) ? (op === 'replace' && part === undefined ? change : { ...each, ...change }) : each,
    );
  if (op === 'replace' || !filter) throw invalid('noTarget', `No value of '${name}' matches the filter of the path.`);
  return joined(attribute, before, [{ ...equalities(filter), ...change }]);
}

const keyOf = ({ value }: JsonMembers): string => String(value).toLowerCase();

function joined(
  { name }: Attribute,
  before: readonly JsonMembers[],
  added: readonly JsonMembers[],
): readonly JsonMembers[] {
  const all = new Map(before.map((each) => [keyOf(each), each]));
  for (const each of added) all.set(keyOf(each), { ...all.get(keyOf(each)), ...each });
  if (all.size > MOST_VALUES)
    throw invalid('invalidValue', `The attribute '${name}' has at most ${MOST_VALUES} values.`);
  return [...all.values()];
}

/** Members that an added value gets from the path filter: `emails[type eq "work"].value` adds a value with the type `work`. */
function equalities(filter: ScimFilter): JsonMembers {
  if (filter.op === 'and') return Object.assign({}, ...filter.args.map(equalities));
  if (filter.op === 'compare' && filter.operator === 'eq') return { [filter.path.attribute]: filter.value };
  return {};
}
