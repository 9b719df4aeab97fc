import { collection, text } from '../../../../kernel/store/index.ts';
import { artifactAllowlists } from '../allowlists/collections.ts';
import { lineageRelations } from '../lineage/collections.ts';
import { modelVersions } from '../models/collections.ts';
import { entityTags } from '../tags/collections.ts';
import { securables } from './securables.ts';

/** Assigns a metastore to a workspace. The key is the id of the workspace. */
export interface MetastoreAssignment {
  readonly workspaceId: string;
  readonly accountId: string;
  /** `null`: the metastore was unassigned, and the workspace has none. */
  readonly metastore: string | null;
  readonly defaultCatalog: string;
}

export const metastoreAssignments = collection<MetastoreAssignment>('platform.metastore_assignments', {
  fields: { metastore: text((it) => it.metastore) },
  indexes: [['metastore']],
  cached: true,
});

export const CATALOG_COLLECTIONS = [
  // One per line.
  securables,
  metastoreAssignments,
  modelVersions,
  artifactAllowlists,
  entityTags,
  lineageRelations,
] as const;
