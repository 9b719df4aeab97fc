import type { Json, JsonMembers } from '../../../../kernel/values/index.ts';
import type { Receivers } from '../../destinations/announce.ts';
import { listOf, membersOf, textOf } from '../../engine/json.ts';
import type { SqlOutput } from '../../jobs/task-run.ts';
import type { Rows } from '../results/collections.ts';

/** Output of a SQL task, and the reason if it failed. */
export interface SqlRan extends SqlOutput {
  readonly problem?: string;
}

/** Receivers of a task's notifications, as its settings name them. */
export interface Subscribed {
  readonly subscriptions: Json | undefined;
  readonly isPaused: boolean;
  readonly subject?: string | undefined;
}

export function receiversIn({ subscriptions, isPaused }: Subscribed): Receivers {
  const named = isPaused ? [] : listOf(subscriptions).map(membersOf);
  return {
    // User names are mail addresses.
    addresses: named.flatMap(({ user_name }) => textOf(user_name) ?? []),
    destinations: named.flatMap(({ destination_id }) => textOf(destination_id) ?? []),
  };
}

/** Limits of `{{tasks.name.output.rows}}`. */
const MOST_ROWS = 1000;
const LARGEST_BYTES = 48 * 1024;

/** Rows for references of other tasks: objects by column, as many as fit. */
export function rowsFor({ columns, rows }: Rows): readonly JsonMembers[] {
  const found: JsonMembers[] = [];
  let bytes = 2;
  for (const row of rows.slice(0, MOST_ROWS)) {
    const object = Object.fromEntries(columns.map((column, index) => [column, row[index] ?? null]));
    bytes += Buffer.byteLength(JSON.stringify(object)) + 1;
    if (bytes > LARGEST_BYTES) break;
    found.push(object);
  }
  return found;
}
