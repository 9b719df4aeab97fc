import { createHash } from 'node:crypto';
import { collection, text } from '../../../../kernel/store/index.ts';

/** An endpoint of lineage. Objects of the catalog are referred to by id, so that lineage survives renames. */
export interface LineageObject {
  readonly type: 'table' | 'volume' | 'model_version' | 'external_metadata' | 'path';
  /** The id of a securable; for a model version, the model's id followed by the version; or a normalised address. */
  readonly ref: string;
  /** As sent; shown for addresses. */
  readonly name: string;
}

export interface ColumnPair {
  readonly source: string;
  readonly target: string;
}

export interface LineageRelation {
  readonly id: string;
  readonly metastore: string;
  readonly source: LineageObject;
  readonly target: LineageObject;
  readonly columns: readonly ColumnPair[];
  readonly properties: Readonly<Record<string, string>>;
  readonly createdBy: string;
  readonly updatedAt: number;
}

/**
 * Ends in a slash, so that no securable's key is a prefix of another's, while a model's key without the slash is a prefix of those of its
 * versions.
 */
export const objectKey = (metastore: string, { type, ref }: Pick<LineageObject, 'type' | 'ref'>): string =>
  `${metastore}|${type}:${ref}/`;

/** At most one relation leads from an object to another. */
export function relationKey({ metastore, source, target }: Pick<LineageRelation, 'metastore' | 'source' | 'target'>) {
  const pair = JSON.stringify([objectKey(metastore, source), objectKey(metastore, target)]);
  return `${metastore}/${createHash('sha256').update(pair).digest('hex')}`;
}

export const lineageRelations = collection<LineageRelation>('platform.lineage', {
  fields: {
    source: text(({ metastore, source }) => objectKey(metastore, source)),
    target: text(({ metastore, target }) => objectKey(metastore, target)),
  },
  indexes: [['source'], ['target']],
});
