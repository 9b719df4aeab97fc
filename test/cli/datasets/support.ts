import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { type ControlClient, controlClient } from '../../../src/cli/control-client.ts';
import { findJar } from '../../../src/cli/find-jar.ts';
import { good, person } from '../../services/datasets/support.ts';
import type { Bench } from '../../support/jars.ts';
import { type CliOptions, type CliResult, runCli } from '../cli.ts';

export type Datasets = (...args: readonly string[]) => Promise<CliResult>;

/** Runs `cloudjar datasets …` on a jar in this process. */
export const datasetsCli =
  (bench: Bench, options: () => CliOptions = () => ({})): Datasets =>
  (...args) =>
    runCli(['datasets', ...args, '--url', bench.jar.url], {
      ...options(),
      env: { CLOUDJAR_ADMIN_KEY: bench.jar.adminKey },
    });

/** The same without the command line. */
export const clientOf = ({ jar }: Bench): ControlClient =>
  controlClient({ ...findJar({ url: jar.url }), adminKey: () => jar.adminKey });

/** A folder for the tests of a file. */
export function useFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'cloudjar-datasets-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export const PRODUCT = {
  name: 'Product',
  columns: [
    { name: 'Id', dataType: 'Int64' },
    { name: 'Name', dataType: 'String' },
    { name: 'Price', dataType: 'Decimal' },
    { name: 'Since', dataType: 'DateTime' },
  ],
  measures: [{ name: 'Total', expression: 'SUM(Product[Price])' }],
};

/** Creates a dataset and returns its id. */
export async function createDataset(
  bench: Bench,
  name = 'Sales',
  tables: readonly object[] = [PRODUCT],
  group?: string,
) {
  const ask = await person(bench);
  const place = group === undefined ? '' : `groups/${group}/`;
  return (await good(ask('POST', `${place}datasets`, { name, tables }))).id as string;
}
