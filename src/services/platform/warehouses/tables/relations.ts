import { requireReachable } from '../../catalog/core/access.ts';
import { type Chain, fullNameOf } from '../../catalog/core/chain.ts';
import { INFORMATION_SCHEMA } from '../../catalog/core/found-metastore.ts';
import { dataIdOf, isSystems, SYSTEM_USER } from '../../catalog/core/securables.ts';
import { readableFiles } from '../../catalog/sharing/mirrors/given-files.ts';
import { columnsOf } from '../../catalog/tables/column-store.ts';
import { stateOf, versionAt, versionOf } from '../../catalog/tables/data/files.ts';
import { columnsIn } from '../../catalog/tables/data/rows.ts';
import { refreshTable } from '../../catalog/tables/data/volume-files.ts';
import { hasData } from '../../catalog/tables/kind.ts';
import type { Actor } from '../../jar.ts';
import { parseQuery } from '../sql/parser.ts';
import { problems } from '../sql/problem.ts';
import type { Relation, RelationName, Relations, StoredRelation } from '../sql/relations.ts';
import { bounded } from '../sql/run-statement.ts';
import type { Session } from '../sql/session.ts';
import { type Acting, findTable, fullParts, shownName } from './find.ts';
import { informationTable } from './information-schema.ts';
import { problemOf } from './refusals.ts';
import { rowsOf, type Snapshot } from './scan.ts';
import { sqlTypeOf } from './types.ts';

/** The tables and views of the catalog for a statement of one user. All references of a statement to a table read the same version. */
export class CatalogRelations implements Relations {
  readonly #actor: Actor;
  readonly #session: Session;
  readonly #known = new Map<string, Promise<Relation>>();
  readonly #names = new Set<string>();
  /** Presents all tables as empty, for queries of which only the columns are needed. */
  readonly #isEmpty: boolean;

  constructor(actor: Actor, session: Session, { empty = false } = {}) {
    this.#actor = actor;
    this.#session = session;
    this.#isEmpty = empty;
  }

  open(name: RelationName): Promise<Relation> {
    const key = JSON.stringify([
      ...fullParts(name, this.#session, 3).map((part) => part.toLowerCase()),
      name.version,
      name.timestamp,
    ]);
    const known = this.#known.get(key) ?? this.#open(name);
    this.#known.set(key, known);
    return known;
  }

  /** The full names of all relations that were read. */
  get names(): readonly string[] {
    return [...this.#names];
  }

  async #open(name: RelationName): Promise<Relation> {
    const acting: Acting = { ...this.#actor, session: this.#session };
    try {
      const parts = fullParts(name, this.#session, 3);
      if (parts[1]?.toLowerCase() === INFORMATION_SCHEMA)
        return this.#stored(await informationTable(acting, name, parts));
      const chain = await findTable(acting, name, 'SELECT');
      requireReachable(acting, chain);
      this.#names.add(fullNameOf(chain));
      return chain.target.fields.table_type === 'VIEW'
        ? await this.#view(chain)
        : this.#stored(await tableAt(acting, chain, name));
    } catch (error) {
      throw problemOf(error) ?? error;
    }
  }

  #stored(relation: StoredRelation): StoredRelation {
    return this.#isEmpty ? { ...relation, read: nothing } : relation;
  }

  /** A view reads with the permissions of its owner. */
  async #view(chain: Chain): Promise<Relation> {
    const { fields, owner } = chain.target;
    if (dataIdOf(chain.target) !== chain.target.id)
      throw problems.unsupported(`${shownName(chain)} is a view of a share, which is not run here`);
    const path = fullNameOf(chain).split('.');
    const place = placeOf(chain);
    const actor = owner === SYSTEM_USER ? undefined : await ownerOf(this.#actor, owner);
    if (!actor) throw problems.insufficient(`The owner of the view ${shownName(chain)} does not exist any more.`);
    const inside: Session = { ...this.#session, ...place, parameters: new Map() };
    const relations = new CatalogRelations(actor, inside, { empty: this.#isEmpty });
    const query = bounded(() => parseQuery(String(fields.view_definition ?? '')));
    const columns = await columnsOf(this.#actor.jar.store, chain.target);
    return { is: 'view', path, columns: columns.map(({ name }) => name), query, session: { ...inside, relations } };
  }
}

async function* nothing(): AsyncGenerator<never> {}

/** The same actor with the permissions of another principal. */
async function ownerOf({ jar, facts }: Actor, principal: string): Promise<Actor | undefined> {
  const standing = await jar.callerIdentities.of(facts.account?.id ?? '', principal);
  return standing && { jar, facts: { ...facts, standing } };
}

/** Catalog and schema in which the names of a view are resolved: those of its creation, stored as in Spark; otherwise its own. */
function placeOf(chain: Chain): Pick<Session, 'catalog' | 'schema'> {
  const [catalog = '', schema = ''] = fullNameOf(chain).split('.');
  const properties: unknown = chain.target.fields.properties;
  const said = typeof properties === 'object' && properties !== null ? { ...properties } : {};
  const part = (index: number): string | undefined => {
    const value: unknown = Object.entries(said).find(([key]) => key === `${VIEW_PLACE}${index}`)?.[1];
    return typeof value === 'string' ? value : undefined;
  };
  return { catalog: part(0) ?? catalog, schema: part(1) ?? schema };
}

/** Prefix of view properties: the catalog (0) and the schema (1) of its creation. */
export const VIEW_PLACE = 'view.catalogAndNamespace.part.';

/** A table in its newest version, or in an earlier one. */
async function tableAt(acting: Acting, chain: Chain, name: RelationName): Promise<StoredRelation> {
  const { target } = chain;
  const { store } = acting.jar;
  if (!hasData(target.fields))
    throw problems.unsupported(
      `${shownName(chain)} is of the type ${String(target.fields.table_type)}, which has no rows here`,
    );
  if (
    !isSystems(target) &&
    dataIdOf(target) === target.id &&
    name.version === undefined &&
    name.timestamp === undefined
  )
    await refreshTable((await ownerOf(acting, target.owner)) ?? acting, chain);
  const given = await readableFiles(acting.jar, chain);
  const snapshot: Snapshot = { ...(await snapshotOf(acting, chain, name)), isGiven: given?.isGiven };
  if (given && (name.version !== undefined || name.timestamp !== undefined)) {
    if (given.firstVersion === undefined)
      throw problems.unsupported(`earlier versions of ${shownName(chain)}, whose history is not shared`);
    if (snapshot.version < given.firstVersion)
      throw problems.unsupported(
        `version ${snapshot.version} of ${shownName(chain)}: the first one that is shared is ${given.firstVersion}`,
      );
  }
  const columns = snapshot.columns.map((column) => ({ name: column.name, type: sqlTypeOf(column) }));
  refuseFiltered(chain, snapshot);
  return {
    is: 'table',
    path: fullNameOf(chain).split('.'),
    columns,
    read: (wish) => rowsOf(store, snapshot, wish),
  };
}

/** Row filters and masks are functions that the jar does not run: reading is refused, so that hidden data is never shown. */
export function refuseFiltered(chain: Chain, { columns }: Snapshot): void {
  if (chain.target.fields.row_filter !== undefined || columns.some(({ mask }) => mask))
    throw problems.unsupported(`the functions of the row filter and the masks of ${shownName(chain)} are not run`);
}

export async function snapshotOf(
  { jar: { store } }: Actor,
  { target }: Chain,
  { version, timestamp }: Pick<RelationName, 'version' | 'timestamp'> = {},
): Promise<Snapshot> {
  const table = dataIdOf(target);
  const newest = await stateOf(store, table);
  if (!newest) throw problems.unsupported(`'${target.name}' has no data`);
  if (version === undefined && timestamp === undefined)
    return { table, version: newest.version, columns: await columnsOf(store, target) };
  const wanted =
    version === undefined
      ? await versionAt(store, table, timestamp ?? 0)
      : Number.isSafeInteger(version) && version >= 0 && version <= newest.version
        ? await versionOf(store, table, version)
        : undefined;
  if (!wanted)
    throw problems.noVersion(
      version === undefined ? 'a time before its first version' : `version ${version}`,
      newest.version,
    );
  return { table, version: wanted.version, columns: await columnsIn(store, target, wanted) };
}
