import { Type } from 'typebox';
import { MOST_GROUP_LEVELS, queryValue, roleAssignments } from '../../kernel/arm/index.ts';
import type { Answer } from '../../kernel/http/index.ts';
import { compileFilter, Evaluator, listShape, refusing } from '../../kernel/odata/index.ts';
import { armCode, type Call } from '../../kernel/service/index.ts';
import { readCached } from '../../kernel/store/index.ts';
import { tenantOf } from './access.ts';
import { type Entity, heightOf, isReadable, isSeen, pathTo, readTree, withBelow } from './entity-tree.ts';
import { selectedView, selectionOf } from './entity-view.ts';
import { groupErrors } from './errors.ts';
import { behind, LIST_OPTIONS, pageAnswer } from './paging.ts';
import { EntitySchema } from './schemas.ts';

const option = (description: string) => Type.Optional(Type.String({ description }));

const QUERY = Type.Object({
  ...LIST_OPTIONS.properties,
  $skip: option('Number of entities to skip'),
  $filter: option("Which: name eq '…', contains(name, '…'), contains(displayName, '…')"),
  $search: option('AllowedParents, AllowedChildren, ParentAndFirstLevelChildren, ParentOnly or ChildrenOnly'),
  $view: option('FullHierarchy, GroupsOnly, SubscriptionsOnly or Audit'),
  $select: option('Members to show, separated by commas'),
  groupName: option('The group that $search refers to'),
});

const shape = listShape<Entity>('entities', {
  name: { type: 'Edm.String', ignoreCase: true, read: ({ name }: Entity) => name },
  displayName: { type: 'Edm.String', ignoreCase: true, read: (it: Entity) => it.displayName },
});

/** The groups and subscriptions that the caller can see, with the caller's permissions. */
export const getEntities = armCode([], {
  query: QUERY,
  responses: {
    200: Type.Object({
      count: Type.Integer(),
      value: Type.Array(EntitySchema),
      nextLink: Type.Optional(Type.String()),
    }),
  },
  async handle(call, arm): Promise<Answer> {
    const tenantId = tenantOf(call);
    const { store, config } = call.jar;
    const held = (await readCached(store, roleAssignments, call.caller?.objectId.toLowerCase() ?? ''))?.value;
    const selection = selectionOf(queryValue(call, '$select'));
    const skip = wholeNumber(call, '$skip');
    const root = await readTree(store, tenantId, held?.assignments ?? [], config.namespace);
    const seen = [...withBelow(root)].filter(isSeen);
    const found = await wanted(call, seen);
    const keyed = found.map((item) => ({ key: item.key, item }));
    const rest = behind(keyed, { after: undefined, limit: keyed.length }).slice(skip);
    const view = (entity: Entity) => selectedView(entity, { tenantId, spoken: arm, selection });
    return pageAnswer(call, (request) => behind(rest, request), view, { before: { count: keyed.length } });
  },
});

type Search = (about: Entity, seen: readonly Entity[]) => readonly Entity[];

const SEARCHES: Readonly<Record<string, Search>> = {
  /** Possible new parents of the group. */
  allowedparents: (about, seen) => {
    const height = heightOf(about);
    return seen.filter((each) => each.kind === 'group' && each.permission === 'delete' && mayHold(each, about, height));
  },
  /** Entities that can be moved into the group. */
  allowedchildren: (about, seen) =>
    seen.filter(
      (each) => about.kind === 'group' && each.permission === 'delete' && mayHold(about, each, heightOf(each)),
    ),
  parentandfirstlevelchildren: (about) => [about, ...about.children.filter(isSeen)],
  parentonly: (about) => [about],
  childrenonly: (about) => about.children.filter(isSeen),
};

/** True if an entity of this height can become a child of the group. */
function mayHold(parent: Entity, child: Entity, height: number): boolean {
  if (child.parent === undefined || child.parent === parent) return false;
  const above = [...pathTo(parent), parent];
  return !above.includes(child) && above.length - 1 + height <= MOST_GROUP_LEVELS;
}

const VIEWS: Readonly<Record<string, (entity: Entity) => boolean>> = {
  fullhierarchy: () => true,
  groupsonly: ({ kind }) => kind === 'group',
  subscriptionsonly: ({ kind }) => kind === 'subscription',
  audit: isReadable,
};

/** Applies the query options to the visible entities. */
async function wanted(call: Call, seen: readonly Entity[]): Promise<readonly Entity[]> {
  const inView = chosen(call, '$view', VIEWS) ?? (() => true);
  const search = chosen(call, '$search', SEARCHES);
  const filter = queryValue(call, '$filter') || undefined;
  const groupName = queryValue(call, 'groupname') || undefined;
  const matches = await matcher(call, filter);
  if (search) {
    const about = seen.find((each) =>
      groupName === undefined ? filter !== undefined && matches(each) : sameName(each, groupName),
    );
    if (groupName === undefined && filter === undefined) {
      const reason = "The '$search' needs a 'groupName', or a '$filter' that names the entity to search for.";
      throw groupErrors.BadRequest({ reason }, { target: '$search' });
    }
    return about ? search(about, seen).filter(inView) : [];
  }
  return seen.filter((each) => inView(each) && matches(each) && (groupName === undefined || sameName(each, groupName)));
}

const sameName = ({ name }: Entity, wantedName: string): boolean => name.toLowerCase() === wantedName.toLowerCase();

async function matcher(call: Call, filter: string | undefined): Promise<(entity: Entity) => boolean> {
  if (filter === undefined) return () => true;
  const { predicate } = await refusing(
    () => compileFilter(shape, filter, call.receivedAt),
    () => 'BadRequest',
  );
  const evaluator = new Evaluator(shape.collection);
  return (entity) => evaluator.matches(predicate, entity);
}

/** The table entry that a query option names, case-insensitively; undefined if the option is missing. */
function chosen<T>(call: Call, target: string, table: Readonly<Record<string, T>>): T | undefined {
  const word = queryValue(call, target);
  if (!word) return undefined;
  const entry = Object.hasOwn(table, word.toLowerCase()) ? table[word.toLowerCase()] : undefined;
  if (entry !== undefined) return entry;
  const reason = `The '${target}' is not valid: '${word.slice(0, 40)}' is not one of ${Object.keys(table).join(', ')}.`;
  throw groupErrors.BadRequest({ reason }, { target });
}

function wholeNumber(call: Call, target: string): number {
  const text = queryValue(call, target) || '0';
  if (/^\d{1,9}$/.test(text)) return Number(text);
  const reason = `The '${target}' must be a whole number from 0 up; '${text.slice(0, 40)}' is not.`;
  throw groupErrors.BadRequest({ reason }, { target });
}
