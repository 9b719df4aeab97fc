import { collection } from '../../../../kernel/store/index.ts';

export const ARTIFACT_TYPES = ['INIT_SCRIPT', 'LIBRARY_JAR', 'LIBRARY_MAVEN'] as const;
export type ArtifactType = (typeof ARTIFACT_TYPES)[number];

export interface ArtifactMatcher {
  readonly artifact: string;
  readonly match_type: 'PREFIX_MATCH';
}

/** Artifacts that may run on clusters in shared mode. The key is the metastore and the type. */
export interface ArtifactAllowlist {
  readonly matchers: readonly ArtifactMatcher[];
  readonly createdAt: number;
  readonly createdBy: string;
}

export const allowlistKey = (metastore: string, type: ArtifactType): string => `${metastore}/${type}`;

export const artifactAllowlists = collection<ArtifactAllowlist>('platform.artifact_allowlists');
