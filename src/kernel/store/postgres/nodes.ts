import { WORK_STATE } from '../migrations.ts';
import type { Connection } from './connection.ts';

const { waiting, leased } = WORK_STATE;

/** Unlogged: the table describes only the current moment, and every node rewrites its row all the time. */
export const CREATE_NODES = `
  CREATE UNLOGGED TABLE IF NOT EXISTS cloudjar.nodes (node text COLLATE "C" PRIMARY KEY, beat bigint NOT NULL)`;

/** The interval at which a node writes its heartbeat and checks the others. */
export const BEAT_MS = 500;
/**
 * A node whose heartbeat has not changed for this many checks of another node is considered dead: 2.5 to 3 s. Checks are counted instead of
 * time, because a checking node that was itself stalled has made no checks meanwhile.
 */
const DEAD_AFTER_CHECKS = 5;

const BEAT = `
  WITH own AS (
    INSERT INTO cloudjar.nodes AS nodes (node, beat) VALUES ($1, 1)
    ON CONFLICT (node) DO UPDATE SET beat = nodes.beat + 1)
  SELECT node, beat::float8 FROM cloudjar.nodes WHERE node <> $1`;
/** Items locked by a running transaction of the node are skipped, and freed by the next check. The attempt of a dead holder counts. */
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

/** Writes this node's heartbeat and detects other nodes that have died. */
export class Heartbeat {
  readonly #node: string;
  readonly #others = new Map<string, { beat: number; checks: number }>();

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
      if (known?.beat !== beat) this.#others.set(node, { beat, checks: 0 });
      else if (++known.checks >= DEAD_AFTER_CHECKS) silent.push({ node, beat });
    }
    return silent;
  }

  /** Frees the leases of this node, so that other nodes need not detect its end. */
  async leave(on: Connection): Promise<void> {
    await on.query(LEAVE, [`${this.#node}:`, this.#node]);
  }
}

/** Frees the leases of a silent node, unless it has written a new heartbeat meanwhile; returns their number. */
export async function freeNodeLeases(on: Connection, { node, beat }: SilentNode): Promise<number> {
  const values = [`${node}:`, node, beat];
  const { count } = await on.query(FREE_LEASES, values);
  await on.query(FORGET_NODE, values);
  return count;
}
