import { suggestion } from '../config/index.ts';
import type { SelectItem } from './ast.ts';
import { errorAt } from './errors.ts';
import { declaredName, type EntityShape } from './shape.ts';

/** The selected members of a document, by lower-case name. */
interface Selection {
  all: boolean;
  readonly members: Map<string, Selection>;
}

type Shown = Readonly<Record<string, unknown>>;

/** Refuses names that the shape does not have. */
export function checkSelect<T>(
  { properties, navigation = [], name: owner }: EntityShape<T>,
  items: readonly SelectItem[],
  option: string,
  source: string,
): void {
  const related = new Set(navigation.map((each) => each.toLowerCase()));
  for (const { segments, at } of items) {
    const name = segments[0]!;
    if (name === '*' || name.includes('.') || related.has(name.toLowerCase())) continue;
    if (declaredName(properties, name) !== undefined) continue;
    const near = suggestion(name, [...Object.keys(properties), ...navigation]);
    throw errorAt('UnknownProperty', option, source, at, `${owner} has no property '${name.slice(0, 60)}'${near}`);
  }
}

/** Returns the selected members of a view. Annotations (`@odata.etag`, `id@…`) and `always` are kept. */
export function applySelect(view: Shown, items: readonly SelectItem[], always: readonly string[] = []): Shown {
  const selection: Selection = { all: false, members: new Map() };
  for (const { segments } of items) {
    if (segments[0] === '*') selection.all = true;
    else add(selection, segments);
  }
  for (const name of always) add(selection, [name]);
  return selection.all ? view : pick(view, selection);
}

function add(selection: Selection, segments: readonly string[]): void {
  let at = selection;
  for (const segment of segments) {
    const name = segment.toLowerCase();
    let inner = at.members.get(name);
    if (!inner) {
      inner = { all: false, members: new Map() };
      at.members.set(name, inner);
    }
    at = inner;
  }
  // Selected completely, even if a part of it is named too.
  at.all = true;
}

function pick(view: Shown, selection: Selection): Shown {
  const picked: Record<string, unknown> = {};
  for (const name in view) {
    const sign = name.indexOf('@');
    const inner = selection.members.get((sign > 0 ? name.slice(0, sign) : name).toLowerCase());
    if (sign === 0) picked[name] = view[name];
    else if (inner) picked[name] = inner.all ? view[name] : part(view[name], inner);
  }
  return picked;
}

function part(value: unknown, selection: Selection): unknown {
  if (Array.isArray(value)) return value.map((each) => part(each, selection));
  return typeof value === 'object' && value !== null ? pick(value as Shown, selection) : value;
}
