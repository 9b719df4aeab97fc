import { bodyOf, CONSOLE_HEADERS, control, dataOf, type operations } from '../../shared/api/control.ts';
import { failureOf } from '../../shared/api/failure.ts';
import { literal } from '../../shared/list/filter.ts';
import type { RowOf } from '../../shared/list/pages.ts';

export type Snapshot = RowOf<'/_jar/snapshots'>;
export type Imported = operations['Jar_ImportSnapshot']['responses'][200]['content']['application/json'];
export type Comparison = operations['Jar_CompareSnapshots']['responses'][200]['content']['application/json'];
export type Collected = Comparison['collections'][number];
export type Difference = Comparison['value'][number];

export const SNAPSHOT_SIGNALS = ['/_jar/snapshots'] as const;

/** The counts between a snapshot and now, without the differences themselves. */
export const countsSince = (from: string, signal?: AbortSignal): Promise<Comparison> =>
  dataOf(control.GET('/_jar/snapshots/compare', { params: { query: { from, $top: 1 } }, ...(signal && { signal }) }));

export async function findSnapshot(name: string): Promise<Snapshot | undefined> {
  const query = { $filter: `name eq ${literal(name)}` };
  const { value } = await dataOf(control.GET('/_jar/snapshots', { params: { query } }));
  return value[0];
}

export const contentPath = (name: string): string => `/_jar/snapshots/${encodeURIComponent(name)}/content`;

/** A header may contain only ASCII, so the passphrase is percent-encoded. */
const passphraseHeader = (passphrase: string): Record<string, string> =>
  passphrase === '' ? {} : { 'cloudjar-passphrase': encodeURIComponent(passphrase) };

async function answered(response: Response): Promise<Response> {
  if (!response.ok) throw failureOf(response.status, await bodyOf(response));
  return response;
}

/** The file with all secrets, encrypted with the passphrase. */
export async function encryptedFile(name: string, passphrase: string): Promise<Blob> {
  const headers = { ...CONSOLE_HEADERS, ...passphraseHeader(passphrase) };
  return (await answered(await fetch(contentPath(name), { headers, cache: 'no-store' }))).blob();
}

export async function importFile(name: string, file: File, passphrase: string): Promise<Imported> {
  const headers = { ...CONSOLE_HEADERS, 'content-type': 'application/gzip', ...passphraseHeader(passphrase) };
  const response = await fetch(contentPath(name), { method: 'PUT', headers, body: file });
  return (await answered(response)).json() as Promise<Imported>;
}

/** `3 added, 1 changed and 0 removed`, over all collections. */
export function sumOf(collections: readonly Collected[]): { added: number; changed: number; removed: number } {
  const sum = { added: 0, changed: 0, removed: 0 };
  for (const { added, changed, removed } of collections) {
    sum.added += added;
    sum.changed += changed;
    sum.removed += removed;
  }
  return sum;
}
