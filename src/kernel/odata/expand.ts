import { suggestion } from '../config/index.ts';
import { compareScalars } from '../store/functions.ts';
import type { Scalar } from '../store/types.ts';
import { columnValue } from '../store/values.ts';
import { type ExpandItem, type ExpandOptions, LIMITS } from './ast.ts';
import { bindFilter, bindOrder } from './compile.ts';
import { errorAt } from './errors.ts';
import { Evaluator } from './evaluate.ts';
import { applySelect, checkSelect } from './select.ts';
import type { EntityShape } from './shape.ts';

/** Maximum number of documents that one request may load by `$expand`. */
export const MOST_EXPANDED = 100_000;

/** A navigation property: how related documents are loaded and shown. */
export interface Navigation<Parent, Child> {
  /** The name in the response. */
  readonly name: string;
  readonly many: boolean;
  readonly shape: EntityShape<Child>;
  /** Whether a parent has this property; for parents of several types. By default all have it. */
  appliesTo?(parent: Parent): boolean;
  /** Validates or changes the options that a client gave for this expansion; throws to refuse them. */
  accept?(options: ExpandOptions): ExpandOptions;
  /**
   * Called once for all parents of a page: returns the children of each parent, in the order of the parents. The options show what need not
   * be loaded.
   */
  load(parents: readonly Parent[], options: ExpandOptions): Promise<readonly (readonly Child[])[]>;
  view(child: Child): Record<string, unknown>;
  /** Nested navigation properties; a function, because documents may refer to each other. */
  navigations?(): readonly Navigation<Child, unknown>[];
  /** Members that are shown even if they are not selected. */
  readonly always?: readonly string[];
}

export interface ExpandContext {
  /** The text of the option, for error messages. */
  readonly source: string;
  readonly now: number;
}

/** Adds the expanded children to the views of the documents. */
export function expandInto<Parent>(
  context: ExpandContext,
  parents: readonly Parent[],
  views: readonly Record<string, unknown>[],
  items: readonly ExpandItem[],
  navigations: readonly Navigation<Parent, unknown>[],
): Promise<void> {
  const known = navigations as readonly Navigation<unknown, unknown>[];
  return new Expansion(context).into(parents, views, items, known);
}

class Expansion {
  readonly #context: ExpandContext;
  #loaded = 0;

  constructor(context: ExpandContext) {
    this.#context = context;
  }

  async into(
    parents: readonly unknown[],
    views: readonly Record<string, unknown>[],
    items: readonly ExpandItem[],
    navigations: readonly Navigation<unknown, unknown>[],
  ): Promise<void> {
    const done = new Set<string>();
    // A star expands the properties that are not named explicitly, so it comes last.
    for (const item of items.toSorted((a, b) => Number(isStar(a)) - Number(isStar(b)))) {
      for (const navigation of this.#named(item, navigations)) {
        if (!done.has(navigation.name)) await this.#one(parents, views, item, navigation);
        else if (!isStar(item)) throw this.#error('Syntax', item.at, `'${navigation.name}' is expanded twice`);
        done.add(navigation.name);
      }
    }
  }

  #named({ segments, at }: ExpandItem, navigations: readonly Navigation<unknown, unknown>[]) {
    // The segments before it name the type that has the property; the property determines what to load.
    const name = segments.at(-1)!;
    if (isStar({ segments })) return navigations;
    const found = navigations.filter((each) => each.name.toLowerCase() === name.toLowerCase());
    if (found.length > 0) return found;
    const names = navigations.map((each) => each.name);
    const hint = `${suggestion(name, names)}, only ${names.join(', ') || 'nothing'},`;
    throw this.#error('UnknownProperty', at, `'${name.slice(0, 60)}' cannot be expanded${hint}`);
  }

  async #one(
    parents: readonly unknown[],
    views: readonly Record<string, unknown>[],
    { options: written, segments, at }: ExpandItem,
    navigation: Navigation<unknown, unknown>,
  ): Promise<void> {
    const { name, many, shape } = navigation;
    const options = navigation.accept?.(written) ?? written;
    const choose = this.#chooser(shape, options);
    if (options.select) checkSelect(shape, options.select, '$expand', this.#context.source);
    const all = parents.length === 0 ? [] : await navigation.load(parents, options);
    for (const children of all) this.#loaded += children.length;
    if (this.#loaded > MOST_EXPANDED)
      throw this.#error('TooComplex', at, `more than ${MOST_EXPANDED} documents would be expanded`);
    const chosen = all.map((children) => choose(children));
    const children = chosen.flatMap(({ shown }) => shown);
    const childViews = children.map((child) => navigation.view(child));
    await this.into(children, childViews, furtherItems({ options, segments, at }), navigation.navigations?.() ?? []);
    const { select } = options;
    const finished = select
      ? childViews.map((view) => applySelect(view, [...select, ...asSelected(options.expand)], navigation.always))
      : childViews;
    let from = 0;
    for (const [i, { shown, count }] of chosen.entries()) {
      const own = finished.slice(from, from + shown.length);
      from += shown.length;
      if (navigation.appliesTo?.(parents[i]) === false) continue;
      const view = views[i]!;
      if (options.count) view[`${name}@odata.count`] = count;
      view[name] = many ? own : (own[0] ?? null);
    }
  }

  /** Applies `$filter`, `$orderby`, `$skip` and `$top` of an expansion to the children of one parent. */
  #chooser(shape: EntityShape<unknown>, { filter, orderBy, skip = 0, top }: ExpandOptions) {
    const { source, now } = this.#context;
    const evaluator = new Evaluator(shape.collection);
    const predicate = filter && bindFilter(shape, filter, '$expand', source, now);
    const orders = orderBy && bindOrder(shape, orderBy, '$expand', source);
    return (children: readonly unknown[]) => {
      const matching = predicate ? children.filter((child) => evaluator.matches(predicate, child)) : children;
      const ordered = orders
        ? matching.toSorted((a, b) => {
            for (const { field, descending } of orders) {
              const source = shape.collection.fields[field]!;
              const order = compareAbsentFirst(columnValue(source, a), columnValue(source, b));
              if (order !== 0) return descending ? -order : order;
            }
            return 0;
          })
        : matching;
      return { count: ordered.length, shown: ordered.slice(skip, top === undefined ? undefined : skip + top) };
    };
  }

  #error(code: 'UnknownProperty' | 'TooComplex' | 'Syntax', at: number, problem: string) {
    return errorAt(code, '$expand', this.#context.source, at, problem);
  }
}

function compareAbsentFirst(a: Scalar | null, b: Scalar | null): number {
  if (a === null || b === null) return Number(a !== null) - Number(b !== null);
  return compareScalars(a, b);
}

const isStar = ({ segments }: Pick<ExpandItem, 'segments'>): boolean => segments.at(-1) === '*';

/** `$levels=3` nests the same expansion three times. */
function furtherItems({ options, segments, at }: ExpandItem): readonly ExpandItem[] {
  const { levels, expand = [] } = options;
  const left = Math.min(levels === 'max' ? LIMITS.expansions : (levels ?? 1), LIMITS.expansions) - 1;
  if (left < 1) return expand;
  return [...expand, { segments, options: { ...options, levels: left }, at }];
}

/** Expanded properties are shown, whether or not they are selected. */
const asSelected = (expand: readonly ExpandItem[] = []) =>
  expand.map(({ segments, at }) => ({ segments: segments.slice(-1), at }));
