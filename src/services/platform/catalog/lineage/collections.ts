import { createHash } from 'node:crypto';
import { collection, text } from '../../../../kernel/store/index.ts';

/** What data come from and go to. Those of the catalog are named by ids, so that a rename keeps them. */
export interface LineageObject {
  readonly type: 'table' | 'volume' | 'model_version' | 'external_metadata' | 'path';
  /** The id of a securable, of a model with the number of the version behind it, or a normalised address. */
  readonly ref: string;
  /** As it was said: shown for addresses. */
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

/** Ends in a slash, so that that of a securable begins no other, and that of a model begins those of its versions. */
export const objectKey = (metastore: string, { type, ref }: Pick<LineageObject, 'type' | 'ref'>): string =>
  `${metastore}|${type}:${ref}/`;

/** There is one relation from an object to another. */
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
