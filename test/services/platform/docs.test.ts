import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { SEED_TENANT } from '../../../src/kernel/auth/index.ts';
import { numbersOf } from '../../../src/kernel/limits/table.ts';
import { PLATFORM_AUDIENCES } from '../../../src/services/platform/access/audiences.ts';
import { ENTITLEMENTS } from '../../../src/services/platform/accounts/entitlements.ts';
import { accountIdOf, defaultWorkspaceOf } from '../../../src/services/platform/accounts/found-account.ts';
import { catalogErrors } from '../../../src/services/platform/catalog/core/errors.ts';
import { computeErrors, contextErrors } from '../../../src/services/platform/compute/errors.ts';
import { dbfsErrors } from '../../../src/services/platform/dbfs/errors.ts';
import { errors } from '../../../src/services/platform/errors.ts';
import { filesErrors } from '../../../src/services/platform/files/errors.ts';
import { gitErrors } from '../../../src/services/platform/git/errors.ts';
import { PLATFORM } from '../../../src/services/platform/index.ts';
import { jobErrors } from '../../../src/services/platform/jobs/api/errors.ts';
import { TASK_KINDS } from '../../../src/services/platform/jobs/task-kinds.ts';
import { increaseControl } from '../../../src/services/platform/limits/increases/control.ts';
import { OWN_ROWS } from '../../../src/services/platform/limits/own-rows.ts';
import { WRONG_CREDENTIAL_LIMITS } from '../../../src/services/platform/limits/wrong-credentials.ts';
import { CONNECTION_STATES } from '../../../src/services/platform/network/connectivity/collections.ts';
import { endpointControl } from '../../../src/services/platform/network/connectivity/control.ts';
import { oidcErrors } from '../../../src/services/platform/oidc/errors.ts';
import { withOperationTable } from '../../../src/services/platform/operations-docs.ts';
import { OBJECT_TYPES, type ObjectType } from '../../../src/services/platform/permissions/levels.ts';
import { GUARDED_KINDS } from '../../../src/services/platform/permissions/registry.ts';
import { ALERTS } from '../../../src/services/platform/pipelines/spec.ts';
import { UPDATE_STATES } from '../../../src/services/platform/pipelines/states.ts';
import { SettingsSchema } from '../../../src/services/platform/settings-schema.ts';
import { alertControl } from '../../../src/services/platform/sql/evaluation/control.ts';
import { resultControl } from '../../../src/services/platform/sql/results/control.ts';
import { workspaceErrors } from '../../../src/services/platform/workspace/errors.ts';
import { IMPORT_FORMATS } from '../../../src/services/platform/workspace/read-format.ts';
import { SERVICES } from '../../../src/services.ts';
import { runTypeScript } from '../../docs/examples.ts';
import { markedCode, needCurl, PageJar, shownBy, typeScriptOf } from '../../docs/page-jar.ts';

const PAGE = 'docs/services/platform.md';
const PAGES = [
  'platform',
  'platform-jobs',
  'platform-workspace',
  'platform-sql',
  'platform-serving',
  'platform-identity',
  'platform-registry',
  'platform-catalog',
  'platform-catalog-objects',
  'platform-sharing',
  'platform-clean-rooms',
  'platform-pipelines',
  'platform-network',
  'platform-tracking',
  'platform-search',
].map((name) => `docs/services/${name}.md`);
const read = (name: string): string => readFileSync(new URL(`../../../${name}`, import.meta.url), 'utf8');
const page = read(PAGE);

/** The codes of tables of errors; what stands behind two underscores tells rows of one code apart. */
const codesOf = (...tables: readonly object[]): readonly string[] => [
  ...new Set(tables.flatMap((table) => Object.keys(table).map((name) => name.split('__', 1)[0] as string))),
];

describe('the page about the data platform', () => {
  const tables = [errors, computeErrors, contextErrors, dbfsErrors, gitErrors, jobErrors, oidcErrors, workspaceErrors];
  it.each([
    ...codesOf(...tables),
    ...Object.values(PLATFORM.family.codes),
    ...Object.values(PLATFORM.family.statusCodes ?? {}),
  ])('has the error %s', (code) => expect(page).toContain(`\`${code}\``));

  it.each(Object.keys(SettingsSchema.properties))('has the setting %s in its table', (name) => {
    expect(page).toContain(`| \`${name}\` |`);
  });

  it('has the ids of the account and the workspace that every jar has', () => {
    expect(page).toContain(`| account | \`${accountIdOf(SEED_TENANT)}\` |`);
    expect(page).toContain(`| first workspace | \`${defaultWorkspaceOf(SEED_TENANT)}\` |`);
  });

  it.each(PLATFORM_AUDIENCES.slice(0, 2))('has the resource %s, which tokens are asked for', (audience) => {
    expect(page).toContain(`\`${audience}\``);
  });

  it('shows limits with their numbers', () => {
    const rows = [...page.matchAll(/^\| `(platform\.[\w.-]+)` \| ([\d,]+) /gm)];
    expect(rows.length).toBeGreaterThan(10);
    for (const [, name, number = ''] of rows) {
      const limit = PLATFORM.limits?.find((each) => each.name === name);
      const numbers = limit && numbersOf(limit);
      expect([name, Number(number.replaceAll(',', ''))]).toEqual([name, numbers?.limit ?? numbers?.size]);
    }
  });
});

it('the page of operations has the table of what is served', () => {
  const operations = read('docs/services/platform-operations.md');
  expect(operations, 'run node scripts/generate-platform-docs.mjs').toBe(withOperationTable(operations));
  expect(() => withOperationTable('# Operations')).toThrow('no marker for the table');
});

it.for(PAGES)('the examples for a shell in %s do what they show', async (name, { skip }) => {
  needCurl(skip);
  await using opened = await PageJar.open();
  expect(await opened.shell(await markedCode(name))).toBe(await shownBy(name, 'console'));
});

it('the example with the published client does what it shows', async () => {
  expect(await runTypeScript(await typeScriptOf(PAGE))).toBe('SUCCESS 3 files\n\n');
});

describe('the page about identities', () => {
  const identities = read('docs/services/platform-identity.md');

  it.each(Object.keys(GUARDED_KINDS))('has the levels of permissions on %s', (type) => {
    const row = identities.split('\n').find((line) => new RegExp(`^\\| .*\`${type}\`.* \\| \`CAN_`).test(line)) ?? '';
    const levels = OBJECT_TYPES[type as ObjectType].levels.map((level) => `\`${level}\``).join(', ');
    expect(row.endsWith(`| ${levels} |`)).toBe(true);
  });

  it.each(ENTITLEMENTS)('has the entitlement %s', (word) => expect(identities).toContain(`\`${word}\``));
});

it.each(codesOf(filesErrors, catalogErrors))('the page about the catalog has the error %s', (code) => {
  expect(read('docs/services/platform-catalog.md')).toContain(`\`${code}\``);
});

it.each(Object.keys(TASK_KINDS))('the page about jobs has the task %s', (kind) => {
  expect(read('docs/services/platform-jobs.md')).toContain(`\`${kind}\``);
});

it.each([...IMPORT_FORMATS])('the page about workspaces has the format %s', (format) => {
  expect(read('docs/services/platform-workspace.md')).toContain(`| \`${format}\` |`);
});

it.each([...OWN_ROWS, ...WRONG_CREDENTIAL_LIMITS].map((row) => ('id' in row ? `platform.${row.id}` : row.name)))(
  'the page about limits has %s',
  (name) => expect(read('docs/services/platform-limits.md')).toContain(`\`${name}\``),
);

it.each(increaseControl.map(({ method, path }) => [method, path]))(
  'the call %s %s is on the page about limits and among those of the control API',
  (method, path) => {
    expect(read('docs/services/platform-limits.md')).toContain(`| \`${method} ${path}\` |`);
    expect(read('docs/reference/control.md')).toContain(path);
  },
);

it.each([...alertControl, ...resultControl].map(({ method, path }) => [method, path]))(
  'the call %s %s is on the page about SQL objects and among those of the control API',
  (method, path) => {
    expect(read('docs/services/platform-sql.md')).toContain(`| \`${method} ${path}\` |`);
    expect(read('docs/reference/control.md')).toContain(path);
  },
);

it.each(endpointControl.map(({ method, path }) => [method, path]))(
  'the call %s %s is on the page about networks and among those of the control API',
  (method, path) => {
    expect(read('docs/services/platform-network.md')).toContain(`| \`${method} ${path}\` |`);
    expect(read('docs/reference/control.md')).toContain(path);
  },
);

it.each([...UPDATE_STATES, ...ALERTS])('the page about pipelines has %s', (word) => {
  expect(read('docs/services/platform-pipelines.md')).toContain(`\`${word}\``);
});

it.each([...CONNECTION_STATES])('the page about networks has the state %s', (state) => {
  expect(read('docs/services/platform-network.md')).toContain(`\`${state}\``);
});

it('the page about faults has every service', () => {
  const row = read('docs/reference/faults.md').match(/^\| `service` \| (.*)$/m)?.[1] ?? '';
  const named = [...row.matchAll(/`([\w-]+)`/g)].map(([, name]) => name);
  expect(named).toEqual(expect.arrayContaining(SERVICES.map(({ name }) => name)));
});
