import type { RowId } from '../../../../src/services/platform/limits/declared.ts';

/** A test that proves a row of the limits tables. */
export interface Proof {
  readonly file: string;
  /** The title in the test file. */
  readonly title: string;
}

const PLATFORM = 'test/services/platform';

const proof = (file: string, title: string): Proof => ({ file, title });

/** Generated for every row whose objects can be created one by one: see `row-makers.ts`. */
export const PROOF_BY_ROW = proof(
  `${PLATFORM}/rows.test.ts`,
  '%s: the last one passes, one more is refused, and passes after a delete',
);

/** Generated for every bucket of the rate table. */
export const PROOF_BY_BUCKET = proof(
  `${PLATFORM}/rates.test.ts`,
  'lets its number pass on a clock that stands still, refuses one more, and lets go by the refill',
);

const REPOS = proof(`${PLATFORM}/git/story.test.ts`, 'the limit %s refuses a clone and leaves nothing');
const RUNS = proof(
  `${PLATFORM}/tracking/life.test.ts`,
  'a run takes no more points, parameters and tags than it may have, and a batch that has too many leaves nothing',
);
const COUNTED = proof(
  'test/services/resources/counted.test.ts',
  '%s are records, counted by region as the table of limits says',
);

/** Rows whose objects are not created one by one. */
export const OWN_PROOFS: Readonly<Partial<Record<RowId, Proof>>> = {
  'repo-size': REPOS,
  'repo-notebooks': REPOS,
  'repo-files': REPOS,
  'group-parents': proof(`${PLATFORM}/scim/groups.test.ts`, 'a user is directly in as many groups as the limit allows'),
  'group-layers': proof(`${PLATFORM}/scim/groups.test.ts`, 'groups nest in ten layers and never in a circle'),
  'jobs-created': proof(
    `${PLATFORM}/rows.test.ts`,
    'jobs-created: so many within an hour, however many were deleted; the next hour begins anew',
  ),
  'notebook-cells': proof(`${PLATFORM}/workspace/limits.test.ts`, '10,001 cells are too many in the format %s'),
  'pipeline-updates': proof(
    `${PLATFORM}/pipelines/room.test.ts`,
    '100 run in a workspace; the next one waits in QUEUED until one of them ends',
  ),
  'resource-groups': proof(
    'test/services/resources/quotas.test.ts',
    '64 clients get exactly as many groups into a subscription as it may have, and the next is told why not',
  ),
  'group-resources': proof(
    'test/services/resources/quotas.test.ts',
    'counts resources by type and group, once each, and frees them on delete',
  ),
  serverless: proof(
    `${PLATFORM}/jobs/running/serverless.test.ts`,
    'a task for which there is not enough of it fails, and its retry may find enough',
  ),
  'storage-accounts': COUNTED,
  'virtual-machines': COUNTED,
  'storage-egress': proof(
    'test/services/datashare/egress.test.ts',
    'is measured by subscription and refuses nothing until a number is set',
  ),
  'folder-depth': proof(
    `${PLATFORM}/workspace/limits.test.ts`,
    '25 directories one in another are fine, a 26th is not',
  ),
  'object-name-length': proof(
    `${PLATFORM}/workspace/limits.test.ts`,
    'a name may have 500 characters, whatever their bytes',
  ),
  'workspace-file-size': proof(
    `${PLATFORM}/workspace/limits.test.ts`,
    'a file may have as much as its limit says, and leaves nothing where it has more',
  ),
  'scope-acls': proof(
    `${PLATFORM}/limits/bounds.test.ts`,
    'scope-acls: as many entries as the limit says; a changed one is no new one, and a removed one makes room',
  ),
  'secret-size': proof(
    `${PLATFORM}/limits/bounds.test.ts`,
    'secret-size: a value of 131,072 bytes is kept, one more is refused and changes nothing',
  ),
  'serving-payload': proof(
    `${PLATFORM}/serving/query-limits.test.ts`,
    '16 MB pass, and one byte more is refused before any of it is read',
  ),
  'serving-queries': proof(
    `${PLATFORM}/serving/query-limits.test.ts`,
    'queries are measured against the throughput target, and refused only where that is set',
  ),
  'serving-concurrency': proof(
    `${PLATFORM}/serving/facts-entities.test.ts`,
    'an endpoint is provisioned for 200 requests at once at most',
  ),
  'serving-model-concurrency': proof(
    `${PLATFORM}/serving/facts-entities.test.ts`,
    'one entity is provisioned for 200 requests at once at most',
  ),
  'run-metric-steps': RUNS,
  'run-parameters': RUNS,
  'table-columns': proof(
    `${PLATFORM}/catalog/tables/facts.test.ts`,
    'table-columns: a table has up to 32,768 columns, and lists of such tables come in pages',
  ),
  'clean-room-tasks': proof(
    `${PLATFORM}/clean-rooms/running.test.ts`,
    'ten run at once; the others wait their turn, in the order in which they came',
  ),
  'clean-room-output-tables': proof(
    `${PLATFORM}/clean-rooms/running.test.ts`,
    'clean-room-output-tables: a run makes 100 tables; one with 101 fails and makes none',
  ),
  // Parameters and metrics of logged models stay as long as the model, so none can be removed to free the limit.
  'logged-model-parameters': proof(
    `${PLATFORM}/tracking/models/limits.test.ts`,
    'repeated parameters are counted as one, and a request with too many parameters logs none',
  ),
  'logged-model-metrics': proof(
    `${PLATFORM}/tracking/models/limits.test.ts`,
    'metrics count by name and dataset, and one too many logs nothing to the run either',
  ),
};

export const proofOf = (id: string): Proof => OWN_PROOFS[id as RowId] ?? PROOF_BY_ROW;
