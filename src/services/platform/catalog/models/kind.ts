import { isObject, type Json, type JsonMembers } from '../../../../kernel/values/index.ts';
import { freeCount } from '../../limits/take.ts';
import type { Chain } from '../core/chain.ts';
import type { SecurableKind } from '../core/kind.ts';
import { requireManagedPlace } from '../core/managed-storage.ts';
import type { Securable } from '../core/securables.ts';
import { managedLocation } from '../core/storage.ts';
import { REMOVE_VERSIONS, versionRemovalId } from './work.ts';

/** Registered models: numbered versions, and aliases that point to them. They share one name space with functions. */

/** State of a model beyond its fields. */
export interface ModelState {
  /** The highest version number ever used; numbers are never reused. */
  readonly lastVersion: number;
  readonly aliases: Readonly<Record<string, number>>;
  readonly tags: Readonly<Record<string, string>>;
}

export function stateOf({ extra = {} }: Pick<Securable, 'extra'>): ModelState {
  const { lastVersion = 0, aliases, tags } = extra;
  return { lastVersion: Number(lastVersion), aliases: membersOf(aliases), tags: membersOf(tags) };
}

const membersOf = <T extends Json>(value: Json | undefined): Readonly<Record<string, T>> =>
  isObject(value) ? (value as Readonly<Record<string, T>>) : {};

export const withState = (model: Securable, changes: Partial<ModelState>): Securable => ({
  ...model,
  extra: { ...model.extra, ...changes },
});

export const aliasesOf = (model: Securable, version?: number): readonly (readonly [name: string, version: number])[] =>
  Object.entries(stateOf(model).aliases)
    .filter(([, of]) => version === undefined || of === version)
    .sort(([one], [other]) => (one < other ? -1 : 1));

export const aliasViews = (model: Securable, version?: number): readonly JsonMembers[] =>
  aliasesOf(model, version).map(([alias_name, version_num]) => ({ alias_name, version_num }));

/** The scope of the counts of one model. */
export const modelScope = ({ metastore, id }: Pick<Securable, 'metastore' | 'id'>) => [metastore, id];

export const MODELS: SecurableKind = {
  type: 'registered_model',
  above: 'schema',
  idField: 'id',
  limits: ['schema-models', 'metastore-models'],
  creates: 'CREATE_MODEL',
  renames: true,
  fields: {
    comment: { type: 'string', most: 65_536 },
    storage_location: { type: 'string', most: 4096 },
  },
  changes: ['comment'],
  hooks: {
    async check(tx, call, { fields, above }, before) {
      const { storage_location: address } = fields;
      if (!before && typeof address === 'string')
        await requireManagedPlace(tx, call, above, { field: 'storage_location', address });
      return undefined;
    },
    async removed(tx, jar, model) {
      // In a catalog of a share, versions and aliases belong to the provider.
      if (model.extra?.source !== undefined) return;
      const { lastVersion, aliases } = stateOf(model);
      const count = Object.keys(aliases).length;
      if (count > 0) await freeCount(tx, jar, { row: 'model-aliases', scope: modelScope(model), count });
      if (lastVersion === 0) return;
      const payload = { metastore: model.metastore, model: model.id };
      await tx.schedule(REMOVE_VERSIONS.at(jar.clock.now(), payload, versionRemovalId(model.id)));
    },
  },
  view: ({ extra }, { chain }) => ({
    securable_type: undefined,
    storage_location: extra?.source === undefined ? addressOf(chain) : undefined,
  }),
};

/** The address of its versions' files. */
export function addressOf(chain: Chain): string {
  const { storage_location: said } = chain.target.fields;
  return typeof said === 'string' ? said : managedLocation(chain);
}
