import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { numbersOf } from '../../../src/kernel/limits/table.ts';
import { settingErrors, settingsCalls } from '../../../src/kernel/settings/control.ts';
import { formatDuration } from '../../../src/kernel/time/index.ts';
import { ANALYTICS_AUDIENCES } from '../../../src/services/datasets/access/audiences.ts';
import { FULL_SCOPE, NEEDS, type NeedName, type Needs } from '../../../src/services/datasets/access/needs.ts';
import { DATASET_RIGHTS, PERMISSIONS, type Permission } from '../../../src/services/datasets/access/permissions.ts';
import { PRINCIPAL_TYPES } from '../../../src/services/datasets/access/principal.ts';
import { ROLES } from '../../../src/services/datasets/access/roles.ts';
import { bulkErrors } from '../../../src/services/datasets/bulk/errors.ts';
import * as bulk from '../../../src/services/datasets/bulk/read-batch.ts';
import type { DatasetsChange } from '../../../src/services/datasets/changes.ts';
import { controlErrors } from '../../../src/services/datasets/control/errors.ts';
import { datasetsControl } from '../../../src/services/datasets/control/routes.ts';
import { DatasetView } from '../../../src/services/datasets/datasets/view.ts';
import { errors } from '../../../src/services/datasets/errors.ts';
import { DATASETS_FAMILY, LARGEST_REQUEST_BYTES } from '../../../src/services/datasets/family.ts';
import { DATASETS } from '../../../src/services/datasets/index.ts';
import { LARGE_TABLE_ROWS, LARGEST_STREAMED_BYTES } from '../../../src/services/datasets/limits.ts';
import { DATA_TYPES } from '../../../src/services/datasets/model/data-types.ts';
import type { Shape } from '../../../src/services/datasets/model/fields.ts';
import * as shapes from '../../../src/services/datasets/model/shapes.ts';
import {
  CROSS_FILTERING,
  DATASET_MODES,
  ENCRYPTION_STATUSES,
  RETENTION_POLICIES,
  STORAGE_MODES,
} from '../../../src/services/datasets/model/types.ts';
import { datasetsRoutes } from '../../../src/services/datasets/routes.ts';
import { LONGEST_TEXT, mistakeOf } from '../../../src/services/datasets/rows/cells.ts';
import { DATASETS_SETTINGS } from '../../../src/services/datasets/settings-table.ts';
import { startJar } from '../../../src/testing/index.ts';
import { blocksOf, runTypeScript } from '../../docs/examples.ts';
import { markedCode, needCurl, PageJar, shownBy, typeScriptOf } from '../../docs/page-jar.ts';
import { seedFile } from './people.ts';

const PAGE = 'docs/services/datasets.md';
const read = (name: string): string => readFileSync(new URL(`../../../${name}`, import.meta.url), 'utf8');
const page = read(PAGE);
const lines = page.split('\n');

/** The text below a heading, up to the next heading of any level. */
const section = (heading: string): string => {
  const [, below = ''] = page.split(new RegExp(`^#+ ${heading}$`, 'm'));
  return below.split(/^#+ /m)[0] ?? '';
};
const counted = (count: number): string => count.toLocaleString('en');
const megabytes = (bytes: number): string => `${bytes / 1024 / 1024} MB`;

type Make = (values: object) => { readonly code: string; readonly status: number };
const made = (table: object) => Object.values<Make>(table as Record<string, Make>).map((make) => make({}));
const rowsOfErrors = (found: readonly { readonly code: string; readonly status: number }[]) => [
  ...new Set(found.map(({ code, status }) => `${code} ${status}`)),
];
const shownErrors = (text: string) =>
  [...text.matchAll(/^\| `(\w+)` \| (\d{3}) \| \S/gm)].map(([, code, status]) => `${code} ${status}`);

/** The statuses of kernel errors, common to all services. */
const KERNEL_STATUSES: Readonly<Record<keyof typeof DATASETS_FAMILY.codes, number>> = {
  malformedJson: 400,
  invalidBody: 400,
  invalidQuery: 400,
  bodyTooLarge: 413,
  unsupportedMediaType: 415,
  notFound: 404,
  methodNotAllowed: 405,
  preconditionFailed: 412,
  internal: 500,
  unavailable: 503,
};

describe('the page about push datasets', () => {
  it('has every error with its status, and no other', () => {
    const kernel = Object.entries(DATASETS_FAMILY.codes).map(([name, code]) => ({
      code,
      status: KERNEL_STATUSES[name as keyof typeof KERNEL_STATUSES],
    }));
    expect(shownErrors(section('Errors')).sort()).toEqual(rowsOfErrors([...made(errors), ...kernel]).sort());
  });

  it('has every error of the control API with its status, and no other', () => {
    const expected = rowsOfErrors([...made(controlErrors), ...made(bulkErrors)]);
    expect(shownErrors(section('Control API')).sort()).toEqual(expected.sort());
    for (const code of Object.keys(settingErrors)) expect(section('Settings')).toContain(`\`${code}\``);
  });

  it.each((DATASETS.limits ?? []).map((limit) => [limit.name, limit] as const))(
    'has the limit %s with its number, as the page of all limits has',
    (name, limit) => {
      const { limit: most, size } = numbersOf(limit);
      expect(section('Limits')).toContain(`\n| \`${name}\` | ${limit.kind} | ${counted(most ?? size ?? 0)} | `);
      const ending = name.replace('datasets.', '');
      expect(read('docs/reference/limits.md')).toMatch(
        new RegExp(`\`datasets\\.${ending}\`|^\\| \`datasets\\..*\`\\.${ending}\``, 'm'),
      );
    },
  );

  it('has the bounds that no limit is', () => {
    const row = lines.find((line) => line.startsWith('| `datasets.pushes-per-hour` |'));
    expect(row).toContain(`${counted(LARGE_TABLE_ROWS)} rows`);
    expect(section('Limits')).toContain(`| body of a request | ${megabytes(LARGEST_REQUEST_BYTES)}`);
    expect(section('Limits')).toContain(`Streaming | ${LARGEST_STREAMED_BYTES / 1024} KB`);
    expect(section('Limits')).toContain(`| text in a row | ${counted(LONGEST_TEXT)} characters |`);
    expect(section('Control API')).toContain(`up to ${counted(bulk.MOST_ROWS)} rows and ${megabytes(bulk.MOST_BYTES)}`);
  });

  it.each(Object.entries(DATASETS_SETTINGS.defaults))(
    'has the setting %s with its default and its range',
    (name, value) => {
      const { kind, from, to } = DATASETS_SETTINGS.rows[name] as Exclude<
        (typeof DATASETS_SETTINGS.rows)[string],
        { kind: 'flag' }
      >;
      const shown = [value, from, to].map(kind === 'duration' ? formatDuration : counted);
      expect(section('Settings')).toContain(`\n| \`${name}\` | ${shown.join(' | ')} | `);
    },
  );

  it.each(
    [...datasetsControl, ...Object.values(settingsCalls(DATASETS_SETTINGS))].map(({ method, path }) => [method, path]),
  )('has the call %s %s, which is among those of the control API', (method, path) => {
    const shown = path.replace('{dataset}', '{id}');
    expect(section('Control API')).toContain(`\n| \`${method} ${shown}\` | `);
    expect(read('docs/reference/control.md')).toContain(shown);
  });

  it('has every operation with its permissions, and no other', () => {
    const rows = lines.filter((line) => /^\| `[A-Z]+ \/(datasets|groups).* \| `\w+\.\w+\.All` \|/.test(line));
    expect([...rows].sort()).toEqual(operationRows().sort());
  });

  it.each(Object.entries(ROLES))('has the right %s in a workspace', (right, { workspace, datasets }) => {
    expect(section('Permissions')).toContain(`\n| \`${right}\` | ${workspace.join(', ')} | \`${datasets}\` |\n`);
  });

  it.each(Object.entries(DATASET_RIGHTS))('has the right %s to a dataset', (right, permissions) => {
    const held: readonly Permission[] = permissions;
    const ticks = PERMISSIONS.map((permission) => (held.includes(permission) ? ' ✓ |' : ' |'));
    expect(section('Permissions')).toContain(`\n| \`${right}\` |${ticks.join('')}\n`);
  });

  it.each(Object.entries(DATA_TYPES))('has the data type of %s, %s, with its range', (type, name) => {
    const row = lines.find((line) => line.startsWith(`| \`${name}\``) && section('Data types').includes(line)) ?? '';
    expect(row).not.toBe('');
    const numbers = mistakeOf(type as keyof typeof DATA_TYPES, '').match(/-?\d[\d.-]{3,}\d/g) ?? [];
    const ranges = numbers.filter((number) => !number.startsWith('2024') && number !== String(LONGEST_TEXT));
    for (const number of ranges) expect(row).toContain(number);
  });

  it.each<[string, Shape]>([
    ['Dataset', shapes.DATASET_SHAPE],
    ['Table', shapes.TABLE_SHAPE],
    ['Source', shapes.SOURCE_SHAPE],
    ['Column', shapes.COLUMN_SHAPE],
    ['Measure', shapes.MEASURE_SHAPE],
    ['Relationship', shapes.RELATIONSHIP_SHAPE],
    ['Datasource', shapes.DATASOURCE_SHAPE],
    ['Connection', shapes.CONNECTION_SHAPE],
  ])('has the properties of a %s', (name, shape) => {
    const row = section('Create a dataset')
      .split('\n')
      .find((line) => line.startsWith(`| ${name} |`));
    const [, required = '', optional = ''] = row?.split(' |') ?? [];
    const named = (text: string) => [...text.matchAll(/`(\w+)`/g)].map(([, property]) => property).sort();
    const those = (isRequired: boolean) =>
      Object.keys(shape)
        .filter((property) => (shape[property]?.required ?? false) === isRequired)
        .sort();
    expect({ required: named(required), optional: named(optional) }).toEqual({
      required: those(true),
      optional: those(false),
    });
  });

  it('has every property of the record of a dataset, and every word of an enumeration', () => {
    for (const property of Object.keys(DatasetView.properties)) expect(section('Fields')).toContain(`\`${property}\``);
    for (const word of [...ENCRYPTION_STATUSES, ...STORAGE_MODES]) expect(section('Fields')).toContain(`\`${word}\``);
    for (const mode of DATASET_MODES)
      expect(section('Modes and live rows')).toMatch(new RegExp(`^\\| \`${mode}\``, 'm'));
    for (const policy of RETENTION_POLICIES)
      expect(section('Retention')).toMatch(new RegExp(`^\\| \`${policy}\``, 'm'));
    for (const type of PRINCIPAL_TYPES) expect(section('Workspaces')).toContain(`\n| \`${type}\` |`);
    for (const word of CROSS_FILTERING) expect(section('Create a dataset')).toContain(word);
    for (const audience of ANALYTICS_AUDIENCES) expect(section('Tokens and scopes')).toContain(`\`${audience}\``);
    expect(section('Tokens and scopes')).toContain(`\`${FULL_SCOPE}\``);
  });

  it('has every kind of change record', () => {
    const kinds: Readonly<Record<DatasetsChange['kind'], true>> = {
      create: true,
      update: true,
      users: true,
      delete: true,
      schema: true,
      rows: true,
      clear: true,
    };
    const rows = [...section('Change records').matchAll(/^\| `(\w+)` \|/gm)].map(([, kind]) => kind);
    expect(rows).toEqual(Object.keys(kinds));
  });
});

/** Each operation on datasets is in the table once, whatever its URLs; the text covers URLs with collections. */
function operationRows(): string[] {
  const routes = datasetsRoutes.filter(({ path }) => path.startsWith('/v1.0/myorg/'));
  const inMine = new Set(routes.map(({ operation }) => operation));
  const once = routes.filter(({ operation }) => {
    const plain = operation.replace(/InGroup$/, '');
    return plain === operation || !inMine.has(plain);
  });
  return once.map(({ method, path, summary, traits }) => {
    const needs: Needs = NEEDS[(traits as { readonly needs: NeedName }).needs];
    const { scopes, workspace, dataset = [], owner } = needs;
    const permissions = workspace ? `${workspace} in the workspace` : dataset.join(', ') + (owner ? '; owner' : '');
    const address = path.replace('/v1.0/myorg', '');
    return `| \`${method} ${address}\` | ${summary} | \`${scopes[0]}\` |${permissions && ` ${permissions}`} |`;
  });
}

it('the example for a shell does what it shows', async ({ skip }) => {
  needCurl(skip);
  await using opened = await PageJar.open();
  const shown = await opened.shell(await markedCode(PAGE));
  const timeless = (text: string) => text.replaceAll(/"at":"[^"]*"/g, '"at":"…"');
  expect(timeless(shown)).toBe(timeless(await shownBy(PAGE, 'console')));
});

it('the example with the published client does what it shows', async () => {
  expect(await runTypeScript(await typeScriptOf(PAGE))).toBe('Orders\n');
});

it('the example of the seed file is one', async () => {
  const blocks = await blocksOf('docs/reference/seed.md');
  const example = blocks.find(({ language, code }) => language === 'json' && code.includes('"datasets"'));
  const { datasets } = JSON.parse(example?.code ?? '{}');
  await using jar = await startJar({ seed: seedFile(datasets) });
  const [{ id: group, datasets: seeded }] = datasets.workspaces;
  const answer = await fetch(`${jar.url}/v1.0/myorg/groups/${group}/datasets`, {
    headers: { authorization: `Bearer ${await jar.token()}` },
  });
  expect(await answer.json()).toMatchObject({ value: [{ id: seeded[0].id, name: seeded[0].name }] });
});
