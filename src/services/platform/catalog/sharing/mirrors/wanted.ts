import { allOf, eq, type Reader, readAll } from '../../../../../kernel/store/index.ts';
import { listOf, type Securable, securableKey, securables } from '../../core/securables.ts';
import { type DataObjectType, type SharedObject, sharedObjects } from '../collections.ts';
import { named, namedAll } from './shared-catalog.ts';

/** The expected content of a catalog of a share: schemas and their children, under the aliases of the share. */

export type MirroredKind = 'schema' | 'table' | 'volume' | 'function' | 'registered_model';

export const MIRRORED: ReadonlySet<string> = new Set<MirroredKind>([
  'schema',
  'table',
  'volume',
  'function',
  'registered_model',
]);

const KINDS: Readonly<Partial<Record<DataObjectType, MirroredKind>>> = {
  TABLE: 'table',
  VIEW: 'table',
  MATERIALIZED_VIEW: 'table',
  STREAMING_TABLE: 'table',
  FOREIGN_TABLE: 'table',
  VOLUME: 'volume',
  FUNCTION: 'function',
  FEATURE_SPEC: 'function',
  MODEL: 'registered_model',
};

export interface Wanted {
  readonly name: string;
  /** Identifies it across renames. */
  readonly via: string;
  /** The share's entry: for the object itself or for its schema. Absent for schemas that only occur in aliases. */
  readonly object?: SharedObject;
  /** The provider's securable; absent for schemas that only occur in aliases. */
  readonly source?: Securable;
}

/** The schemas of a share, or only the schema with this name. */
export async function wantedSchemas(reader: Reader, share: Securable, name?: string): Promise<readonly Wanted[]> {
  const ofShare = eq('share', share.id);
  const found = new Map<string, Wanted>();
  if (name !== undefined) {
    const prefix = { op: 'startsWith', field: 'sharedAs', value: `${name}.` } as const;
    const { items } = await reader.query(sharedObjects, { filter: allOf(ofShare, prefix), limit: 1 });
    if (items.length > 0) found.set(name, { name, via: `name:${name}` });
  } else
    for (const { value } of await readAll(reader, sharedObjects, { filter: ofShare })) {
      const [schema = ''] = value.sharedAs.split('.');
      if (KINDS[value.type] !== undefined) found.set(schema, { name: schema, via: `name:${schema}` });
    }
  const whole = allOf(ofShare, eq('type', 'SCHEMA'), name === undefined ? undefined : eq('sharedAs', name));
  const schemas = (await readAll(reader, sharedObjects, { filter: whole })).map(({ value }) => value);
  const sources = await namedAll(
    reader,
    schemas.map(({ securable }) => securable),
  );
  for (const object of schemas) {
    const source = sources.get(object.securable ?? '');
    if (source) found.set(object.sharedAs, { name: object.sharedAs, via: `whole:${source.id}`, object, source });
  }
  return [...found.values()];
}

/**
 * Children of one kind in a schema of a share, or only the child with this name: objects that were shared individually, and the content of
 * a schema that was shared as a whole.
 */
export async function wantedIn(
  reader: Reader,
  share: Securable,
  schema: string,
  kind: Exclude<MirroredKind, 'schema'>,
  name?: string,
): Promise<readonly Wanted[]> {
  const ofShare = eq('share', share.id);
  const found = new Map<string, Wanted>();
  const whole = allOf(ofShare, eq('sharedAs', schema), eq('type', 'SCHEMA'));
  const object = (await reader.query(sharedObjects, { filter: whole, limit: 1 })).items[0]?.value;
  if (object?.securable !== undefined)
    for (const source of await childrenOf(reader, object.securable, kind, name))
      found.set(source.name, { name: source.name, via: `whole:${source.id}`, object, source });
  const aliased =
    name === undefined
      ? ({ op: 'startsWith', field: 'sharedAs', value: `${schema}.` } as const)
      : eq('sharedAs', `${schema}.${name}`);
  const single = (await readAll(reader, sharedObjects, { filter: allOf(ofShare, aliased) }))
    .map(({ value }) => value)
    .filter(({ type }) => KINDS[type] === kind);
  const sources = await namedAll(
    reader,
    single.map(({ securable }) => securable),
  );
  for (const value of single) {
    const source = sources.get(value.securable ?? '');
    const alias = value.sharedAs.slice(schema.length + 1);
    if (source) found.set(alias, { name: alias, via: `single:${source.id}`, object: value, source });
  }
  return [...found.values()];
}

async function childrenOf(
  reader: Reader,
  schema: string,
  kind: MirroredKind,
  name: string | undefined,
): Promise<readonly Securable[]> {
  // The content of a removed schema may still be waiting for removal.
  if (!(await named(reader, schema))) return [];
  if (name === undefined)
    return (await readAll(reader, securables, { filter: eq('list', listOf(schema, kind)) })).map(({ value }) => value);
  const found = (await reader.get(securables, securableKey(schema, kind, name), 'none'))?.value;
  return found?.kind === kind ? [found] : [];
}
