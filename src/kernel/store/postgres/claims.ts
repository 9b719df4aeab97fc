import { etag } from '../../ids/index.ts';
import { processTime } from '../../time/timers.ts';
import type { ClaimRequest, WorkItem } from '../types.ts';
import { type Connection, isLostConnection } from './connection.ts';
import { claim, freeLeases } from './work.ts';

/** How long a lost claim is looked for once the database answers again; a lease that began later would end by itself soon after. */
const LOOKED_FOR_MS = 30_000;

/**
 * Claims of one node. The answer to a claim can be lost, with the database or with a connection, though the server has made the claim or makes it when
 * it goes on: items would then be held by a node that knows nothing of them, until their lease ends. So what a lost claim has taken is freed
 * by the claims that follow it.
 */
export class Claims {
  readonly #node: string;
  /** The leases of lost claims, and until when they are looked for; without an end as long as the database has not answered. */
  readonly #lost = new Map<string, number | undefined>();

  constructor(node: string) {
    this.#node = node;
  }

  async claim(on: Connection, request: ClaimRequest): Promise<WorkItem[]> {
    if (this.#lost.size > 0) await this.#freeLost(on);
    // It begins with the name of the node, so that the leases of a node that has died can be found.
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
