import { WORK_STATE } from '../migrations.ts';
import type { Connection } from './connection.ts';

const { waiting, leased } = WORK_STATE;

/** Not logged: it says what is the case at the moment, and every node writes it again and again. */
export const CREATE_NODES = `
  CREATE UNLOGGED TABLE IF NOT EXISTS cloudjar.nodes (node text COLLATE "C" PRIMARY KEY, beat bigint NOT NULL)`;

/** How often a node says that it lives and looks at the others. */
export const BEAT_MS = 500;
/**
 * A node that has said nothing for so many looks of another one counts as dead: 2.5 to 3 s. Counted by looks rather than by time, since
 * whoever was held up itself has not looked meanwhile.
 */
const DEAD_AFTER_LOOKS = 5;

const BEAT = `
  WITH own AS (
    INSERT INTO cloudjar.nodes AS nodes (node, beat) VALUES ($1, 1)
    ON CONFLICT (node) DO UPDATE SET beat = nodes.beat + 1)
  SELECT node, beat::float8 FROM cloudjar.nodes WHERE node <> $1`;
/** What its transactions hold at the moment is passed over and found by the next look. An attempt whose holder has died counts. */
const FREE_LEASES = `
  UPDATE cloudjar.work SET state = ${waiting}, attempts = attempts + 1, lease = NULL, lease_until = NULL
  WHERE id IN (SELECT id FROM cloudjar.work WHERE state = ${leased} AND starts_with(lease, $1)
               FOR UPDATE SKIP LOCKED)
    AND EXISTS (SELECT 1 FROM cloudjar.nodes WHERE node = $2 AND beat = $3)`;
const FORGET_NODE = `
  DELETE FROM cloudjar.nodes WHERE node = $2 AND beat = $3
    AND NOT EXISTS (SELECT 1 FROM cloudjar.work WHERE state = ${leased} AND starts_with(lease, $1))`;
const LEAVE = `
  WITH own AS (DELETE FROM cloudjar.nodes WHERE node = $2)
  UPDATE cloudjar.work SET state = ${waiting}, lease = NULL, lease_until = NULL
  WHERE state = ${leased} AND starts_with(lease, $1)`;

export interface SilentNode {
  readonly node: string;
  readonly beat: number;
}

/** Says that this node lives, and finds out which of the others do not. */
export class Heartbeat {
  readonly #node: string;
  readonly #others = new Map<string, { beat: number; looks: number }>();

  constructor(node: string) {
    this.#node = node;
  }

  async beat(on: Connection): Promise<SilentNode[]> {
    const { rows } = await on.query<[node: string, beat: number]>(BEAT, [this.#node], 'beat');
    const found = new Set(rows.map(([node]) => node));
    for (const node of this.#others.keys()) if (!found.has(node)) this.#others.delete(node);
    const silent: SilentNode[] = [];
    for (const [node, beat] of rows) {
      const known = this.#others.get(node);
      if (known?.beat !== beat) this.#others.set(node, { beat, looks: 0 });
      else if (++known.looks >= DEAD_AFTER_LOOKS) silent.push({ node, beat });
    }
    return silent;
  }

  /** Gives back what this node may still hold, so that others need not find out that it is gone. */
  async leave(on: Connection): Promise<void> {
    await on.query(LEAVE, [`${this.#node}:`, this.#node]);
  }
}

/** Frees the leases of a silent node, unless it has written a new heartbeat meanwhile; gives their number. */
export async function buryNode(on: Connection, { node, beat }: SilentNode): Promise<number> {
  const values = [`${node}:`, node, beat];
  const { count } = await on.query(FREE_LEASES, values);
  await on.query(FORGET_NODE, values);
  return count;
}
