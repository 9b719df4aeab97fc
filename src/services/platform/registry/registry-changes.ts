import type { ModelVersion, RegisteredModel, Tag } from './collections.ts';
import type { Stage } from './stages.ts';

/** Events of the registry that subscribers may be notified of. `by` is a principal. */
export type RegistryChange = { readonly model: RegisteredModel; readonly by: string } & (
  | { readonly what: 'model-created' }
  | { readonly what: 'version-created'; readonly version: ModelVersion }
  | {
      readonly what: 'stage-changed';
      readonly version: ModelVersion;
      readonly from: Stage;
      readonly to: Stage;
      readonly comment?: string | undefined;
    }
  | {
      readonly what: 'transition-requested';
      readonly version: ModelVersion;
      readonly to: Stage;
      readonly comment?: string | undefined;
    }
  | { readonly what: 'comment-created'; readonly version: ModelVersion; readonly comment: string }
  | { readonly what: 'version-tag-set'; readonly version: ModelVersion; readonly tag: Tag }
  | { readonly what: 'version-tag-deleted'; readonly version: ModelVersion; readonly key: string }
  | { readonly what: 'model-tag-set'; readonly tag: Tag }
  | { readonly what: 'model-tag-deleted'; readonly key: string }
  | { readonly what: 'alias-set'; readonly alias: string; readonly number: number }
  | { readonly what: 'alias-deleted'; readonly alias: string }
);
