import type { Bench } from '../../../support/jars.ts';

export interface DeltaRow {
  readonly id: string;
  readonly '@removed'?: { readonly reason: string };
  readonly [name: string]: unknown;
}

interface DeltaPage {
  readonly '@odata.nextLink'?: string;
  readonly '@odata.deltaLink'?: string;
  readonly value: readonly DeltaRow[];
}

export interface DeltaOptions {
  readonly headers?: Record<string, string>;
  /** Called after every page except the last. */
  between?(): Promise<unknown>;
}

/** Reads one round, from a URL to the URL of the next round. */
export async function round(bench: Bench, from: string, { headers = {}, between }: DeltaOptions = {}) {
  const rows: DeltaRow[] = [];
  let pages = 0;
  for (let address = from; ; ) {
    const reply = await bench.call('GET', address, { headers });
    if (reply.status !== 200) throw new Error(`${reply.status} ${JSON.stringify(reply.body)}`);
    const page = reply.body as DeltaPage;
    pages += 1;
    rows.push(...page.value);
    const { '@odata.nextLink': next, '@odata.deltaLink': end } = page;
    if ((next === undefined) === (end === undefined)) throw new Error('a page has a nextLink or a deltaLink');
    if (end !== undefined) return { rows, pages, link: end };
    await between?.();
    address = next as string;
  }
}

/** The state of a client that applies every row in the order of arrival. */
export function applied(known: ReadonlyMap<string, DeltaRow>, rows: readonly DeltaRow[]): Map<string, DeltaRow> {
  const after = new Map(known);
  for (const row of rows) {
    if (row['@removed']) after.delete(row.id);
    else after.set(row.id, row);
  }
  return after;
}
