import { expect, it } from 'vitest';
import { type ControlClient, RefusedByJar } from '../../../src/cli/control-client.ts';
import { type ImportOptions, importRows } from '../../../src/cli/datasets/import.ts';
import { rowProgress } from '../../../src/cli/datasets/progress.ts';
import type { RowSource } from '../../../src/cli/datasets/rows.ts';
import { CliError } from '../../../src/cli/errors.ts';

const OPTIONS: ImportOptions = { file: 'f.csv', batch: 10, skip: 0, replace: false };
const ROWS = 35;

const table = (pushedRows: number) => ({ name: 'T', columns: [], measures: [], rows: pushedRows, pushedRows });

/** The error message of an import into a jar that fails at the third batch. */
async function failAt3(fail: () => never, after: () => number, options: Partial<ImportOptions> = {}): Promise<string> {
  let batches = 0;
  let pushed = 100;
  const client: Partial<ControlClient> = {
    async postLines(_path, lines) {
      batches += 1;
      if (batches === 3) fail();
      const stored = lines.trim().split('\n').length;
      pushed += stored;
      return { stored, removed: 0, rows: pushed, pushedRows: pushed };
    },
    get: async () => ({ tables: [table(after())] }),
  };
  async function* chunks() {
    yield Array.from({ length: ROWS }, (_, i) => ({ at: i + 2, json: '{}' }));
  }
  const source: RowSource = { chunks: chunks(), place: 'line', bytes: undefined, bytesRead: () => 0 };
  const target = { client: client as ControlClient, dataset: { id: 'd' } as never, table: table(100) };
  const quiet = rowProgress({ write: () => {} }, true);
  const failed = await importRows(target, source, { ...OPTIONS, ...options }, quiet).catch((error: Error) => error);
  expect(failed).toBeInstanceOf(CliError);
  return (failed as CliError).message;
}

const lost = (): never => {
  throw new CliError('no jar answers');
};

it('a batch whose answer is lost counts as stored if the jar has its rows', async () => {
  expect(await failAt3(lost, () => 130)).toBe('no jar answers; 30 rows are stored; continue with --skip 30');
});

it('a batch whose answer is lost does not count as stored if the jar has none of its rows', async () => {
  expect(await failAt3(lost, () => 120)).toBe('no jar answers; 20 rows are stored; continue with --skip 20');
});

it('if other clients push too, or the jar does not answer, both possible numbers are reported', async () => {
  const unsure =
    'no jar answers; 20 rows are stored, and it is unknown whether the next 10 are: cloudjar datasets show prints the number of rows in the table; continue with --skip 20 or --skip 30';
  expect(await failAt3(lost, () => 125)).toBe(unsure);
  expect(await failAt3(lost, lost)).toBe(unsure);
});

it('what the jar refuses is told by the line of the file', async () => {
  const refuse = (): never => {
    throw new RefusedByJar("Row 4, column 'a' (Int64): expected a whole number, got 1.5.", {
      code: 'RowInvalid',
      target: 'rows[3].a',
      status: 400,
    });
  };
  const message =
    "f.csv, line 25, column 'a' (Int64): expected a whole number, got 1.5; 20 rows are stored; continue with";
  expect(await failAt3(refuse, lost)).toBe(`${message} --skip 20`);
  expect(await failAt3(refuse, lost, { replace: true })).toBe(`${message} --skip 20 and without --replace`);
  // Skipped rows count as lines of the file.
  expect(await failAt3(refuse, lost, { skip: 5 })).toContain('f.csv, line 30, ');
  expect(await failAt3(refuse, lost, { skip: 5 })).toContain('20 rows are stored; continue with --skip 25');
});
