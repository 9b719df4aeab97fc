import { type AsyncBuffer, parquetReadObjects } from 'hyparquet';
import type { Bench, Reply } from '../../../support/jars.ts';

/**
 * A client of the open sharing protocol, written from its public description: it knows a profile and nothing else of the jar. Files are read as a
 * reader of Parquet does, by ranges of their links.
 */

export interface Profile {
  readonly shareCredentialsVersion: number;
  readonly endpoint: string;
  readonly bearerToken: string;
}

export interface TableAddress {
  readonly share: string;
  readonly schema: string;
  readonly table: string;
}

/** One JSON object with one wrapper. */
type Line = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

export interface TableAnswer {
  readonly version: number;
  readonly headers: Reply['headers'];
  readonly lines: readonly Line[];
}

export class SharingClient {
  readonly #bench: Bench;
  readonly #profile: Profile;

  constructor(bench: Bench, profile: Profile) {
    this.#bench = bench;
    this.#profile = profile;
  }

  ask(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Reply> {
    const { endpoint, bearerToken } = this.#profile;
    return this.#bench.call(method, new URL(endpoint).pathname + path, {
      ...(body !== undefined && { body }),
      headers: { authorization: `Bearer ${bearerToken}`, 'user-agent': 'Delta-Sharing-Python/1.3.0', ...headers },
    });
  }

  /** Every item of a list, over its pages. */
  async list(path: string, maxResults?: number): Promise<readonly Record<string, unknown>[]> {
    const items: Record<string, unknown>[] = [];
    let token = '';
    do {
      const query = new URLSearchParams({
        ...(maxResults !== undefined && { maxResults: String(maxResults) }),
        ...(token !== '' && { pageToken: token }),
      });
      const { status, body, text } = await this.ask('GET', `${path}?${query}`);
      if (status !== 200) throw new Error(`${status}: ${text}`);
      items.push(...(body.items ?? []));
      token = body.nextPageToken ?? '';
    } while (token !== '');
    return items;
  }

  path({ share, schema, table }: TableAddress): string {
    return `/shares/${share}/schemas/${schema}/tables/${table}`;
  }

  async #lines(reply: Promise<Reply>): Promise<TableAnswer> {
    const { status, text, headers } = await reply;
    if (status !== 200) throw new Error(`${status}: ${text}`);
    if (!headers.get('content-type')?.startsWith('application/x-ndjson')) throw new Error('the answer is not ndjson');
    const version = headers.get('delta-table-version');
    if (version === null) throw new Error('the answer has no version');
    const lines = text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Line);
    return { version: Number(version), headers, lines };
  }

  query(address: TableAddress, body: object = {}, headers: Record<string, string> = {}): Promise<TableAnswer> {
    return this.#lines(this.ask('POST', `${this.path(address)}/query`, body, headers));
  }

  metadata(address: TableAddress, query = ''): Promise<TableAnswer> {
    return this.#lines(this.ask('GET', `${this.path(address)}/metadata${query}`));
  }

  changes(address: TableAddress, query: string): Promise<TableAnswer> {
    return this.#lines(this.ask('GET', `${this.path(address)}/changes?${query}`));
  }

  /** The rows of a table: all files of a query, decoded. */
  async rows(address: TableAddress, body: object = {}): Promise<readonly Record<string, unknown>[]> {
    const { lines } = await this.query(address, body);
    const rows: Record<string, unknown>[] = [];
    for (const { file } of lines) {
      if (!file) continue;
      const found = await parquetReadObjects({ file: this.#remote(String(file.url), Number(file.size)) });
      const partition = file.partitionValues as Readonly<Record<string, string>>;
      rows.push(...found.map((row) => ({ ...row, ...partition })));
    }
    return rows;
  }

  /** A file behind a link, of which parts are asked for. Links need no token. */
  #remote(url: string, byteLength: number): AsyncBuffer {
    return {
      byteLength,
      slice: async (start, end = byteLength) => {
        const answer = await this.download(url, { range: `bytes=${start}-${end - 1}` });
        if (answer.status !== 206) throw new Error(`${answer.status} for a range`);
        return answer.arrayBuffer();
      },
    };
  }

  download(url: string, headers: Record<string, string> = {}): Promise<Response> {
    return fetch(this.#bench.jar.url + new URL(url).pathname, { headers });
  }
}
