import { GUARDED_APPS } from '../apps/guarded.ts';
import { GUARDED_COMPUTE } from '../compute/guarded.ts';
import { guardedJobs } from '../jobs/api/guarded-jobs.ts';
import { GUARDED_PIPELINES } from '../pipelines/find.ts';
import { GUARDED_MODELS } from '../registry/guarded.ts';
import { GUARDED_ENDPOINTS } from '../serving/guarded.ts';
import { GUARDED_SQL } from '../sql/guarded.ts';
import { GUARDED_EXPERIMENTS } from '../tracking/guarded.ts';
import { GUARDED_WAREHOUSES } from '../warehouses/guarded.ts';
import { GUARDED_DIRECTORIES, GUARDED_FILES, GUARDED_NOTEBOOKS, GUARDED_REPOS } from '../workspace/guarded.ts';
import { AUTHORIZATIONS } from './authorization.ts';
import type { PermissionedKind } from './guarded-kind.ts';
import type { ObjectType } from './levels.ts';

/** By the type in the path. A part of the platform with guarded objects adds its line here. */
export const GUARDED_KINDS: Readonly<Partial<Record<ObjectType, PermissionedKind>>> = {
  authorization: AUTHORIZATIONS,
  directories: GUARDED_DIRECTORIES,
  experiments: GUARDED_EXPERIMENTS,
  files: GUARDED_FILES,
  notebooks: GUARDED_NOTEBOOKS,
  repos: GUARDED_REPOS,
  ...GUARDED_COMPUTE,
  jobs: guardedJobs,
  'registered-models': GUARDED_MODELS,
  ...GUARDED_SQL,
  apps: GUARDED_APPS,
  'serving-endpoints': GUARDED_ENDPOINTS,
  warehouses: GUARDED_WAREHOUSES,
  pipelines: GUARDED_PIPELINES,
};
