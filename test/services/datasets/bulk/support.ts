import type { Bench, Reply } from '../../../support/jars.ts';

/** Sends rows as JSON lines; a text is sent unchanged. */
export function importLines(
  bench: Bench,
  dataset: string,
  table: string,
  rows: readonly object[] | string,
  query = '',
): Promise<Reply> {
  const body = typeof rows === 'string' ? rows : rows.map((row) => `${JSON.stringify(row)}\n`).join('');
  return bench.call('POST', `/_jar/datasets/${dataset}/tables/${encodeURIComponent(table)}/rows${query}`, {
    token: bench.jar.adminKey,
    body,
    headers: { 'content-type': 'application/x-ndjson' },
  });
}

export async function exportedText(bench: Bench, dataset: string, table: string): Promise<string> {
  const response = await fetch(`${bench.jar.url}/_jar/datasets/${dataset}/tables/${encodeURIComponent(table)}/rows`, {
    headers: { authorization: `Bearer ${bench.jar.adminKey}` },
  });
  const [status, text] = [response.status, await response.text()];
  if (status !== 200) throw new Error(`${status}: ${text}`);
  return text;
}

export const exportedLines = async (bench: Bench, dataset: string, table: string): Promise<unknown[]> =>
  (await exportedText(bench, dataset, table))
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));

/** A table with a column of each type. */
export const EVERY_TYPE = {
  name: 'Every',
  columns: [
    { name: 'whole', dataType: 'Int64' },
    { name: 'double', dataType: 'Double' },
    { name: 'decimal', dataType: 'Decimal' },
    { name: 'flag', dataType: 'Boolean' },
    { name: 'at', dataType: 'DateTime' },
    { name: 'text', dataType: 'String' },
  ],
};
