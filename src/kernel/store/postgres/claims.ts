import { etag } from '../../ids/index.ts';
import { processTime } from '../../time/timers.ts';
import type { ClaimRequest, WorkItem } from '../types.ts';
import { type Connection, isLostConnection } from './connection.ts';
import { claim, freeLeases } from './work.ts';

/** How long a lost claim is looked for after the database answers again. A lease that began later expires by itself soon after. */
const LOOKED_FOR_MS = 30_000;

/**
 * Claims work items for one node. The response to a claim can be lost, with the database or with a connection, although the server has made
 * the claim, or makes it when it continues. The items would then be leased to a node that does not know of them, until their lease expires.
 * So later claims free the items of a lost claim.
 */
export class Claims {
  readonly #node: string;
  /** The leases of lost claims, and until when they are looked for; undefined while the database has not answered. */
  readonly #lost = new Map<string, number | undefined>();

  constructor(node: string) {
    this.#node = node;
  }

  async claim(on: Connection, request: ClaimRequest): Promise<WorkItem[]> {
    if (this.#lost.size > 0) await this.#freeLost(on);
    // The lease begins with the name of the node, so that the leases of a dead node can be found.
    const lease = `${this.#node}:${etag()}`;
    try {
      return await claim(on, request, lease);
    } catch (error) {
      if (isLostConnection(error)) this.#lost.set(lease, undefined);
      throw error;
    }
  }

  async #freeLost(on: Connection): Promise<void> {
    const found = await freeLeases(on, [...this.#lost.keys()]);
    for (const lease of found) this.#lost.delete(lease);
    const now = processTime();
    for (const [lease, until] of this.#lost) {
      if (until === undefined) this.#lost.set(lease, now + LOOKED_FOR_MS);
      else if (until < now) this.#lost.delete(lease);
    }
  }
}
