import type { RowSource, SourceRow } from './rows.ts';

/** Rows that are stored in one transaction. */
export interface RowBatch {
  /** NDJSON. */
  readonly text: string;
  /** Line or row number of each row in the file. */
  readonly places: readonly number[];
}

export interface BatchOptions {
  readonly rows: number;
  /** Number of rows at the start of the file to skip. */
  readonly skip: number;
}

/** A batch also ends at this size, which bounds memory if rows contain long texts. */
const MOST_CHARACTERS = 4 * 1024 * 1024;

export async function* batchesOf({ chunks }: RowSource, { rows: most, skip }: BatchOptions): AsyncGenerator<RowBatch> {
  let left = skip;
  let lines: string[] = [];
  let places: number[] = [];
  let characters = 0;
  const take = (): RowBatch => {
    const batch = { text: `${lines.join('\n')}\n`, places };
    lines = [];
    places = [];
    characters = 0;
    return batch;
  };
  const add = ({ at, json }: SourceRow): void => {
    lines.push(json);
    places.push(at);
    characters += json.length;
  };
  for await (const chunk of chunks) {
    for (const row of chunk) {
      if (left > 0) {
        left -= 1;
        continue;
      }
      add(row);
      if (lines.length >= most || characters >= MOST_CHARACTERS) yield take();
    }
  }
  if (lines.length > 0) yield take();
}
