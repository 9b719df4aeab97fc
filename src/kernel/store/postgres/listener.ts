import type { Client } from 'pg';
import { atMost, later, pause } from '../../time/timers.ts';
import { clientOptions, connectionOf, loadDriver } from './connection.ts';
import type { Connections } from './connections.ts';
import { BEAT_MS, Heartbeat, type SilentNode } from './nodes.ts';
import { CHANNEL, type Notice, readNotice } from './notices.ts';

/** At most the interval between two beats: when the database is back, other nodes consider this one dead after a few missing beats. */
const LONGEST_PAUSE_MS = BEAT_MS;
const FIRST_PAUSE_MS = 100;
/** The application name of the connection in the server's lists. */
const LISTENER = 'cloudjar listener';
/** The time limit for removing the node when the store closes. */
const FAREWELL_MS = 500;
/** A heartbeat need not survive a crash of the server. */
const PREPARE = `LISTEN ${CHANNEL}; SET synchronous_commit = off`;

export interface ListenerEvents {
  notice(notice: Notice): void;
  /** Another node has sent no heartbeat for seconds. */
  nodeDied(dead: SilentNode): Promise<void>;
  /** The connection is back; notices sent in the meantime are lost. */
  resumed(): void;
  failed(error: unknown): void;
}

/**
 * Receives the notices of other nodes and sends this node's heartbeat, over a connection of its own that it restores when it breaks. The
 * heartbeat also detects a database that stops answering while no calls are made.
 */
export class Listener {
  readonly #connections: Connections;
  readonly #heartbeat: Heartbeat;
  readonly #events: ListenerEvents;
  #client: Client | undefined;
  #stopBeating: () => void = () => {};
  #closed = false;

  constructor(connections: Connections, node: string, events: ListenerEvents) {
    this.#connections = connections;
    this.#heartbeat = new Heartbeat(node);
    this.#events = events;
  }

  /** While this is false, the node receives no cache invalidations. */
  get connected(): boolean {
    return this.#client !== undefined;
  }

  async connect(): Promise<void> {
    const pg = await loadDriver();
    const { url, reach } = this.#connections;
    const client = new pg.Client({ ...clientOptions(url), stream: reach.stream, fallback_application_name: LISTENER });
    let live = true;
    const lost = (error: unknown) => {
      if (!live) return;
      live = false;
      this.#lose(client, error);
    };
    client.on('error', lost);
    client.on('end', () => lost(new Error('the connection to the database ended')));
    client.on('notification', ({ payload = '' }) => this.#events.notice(readNotice(payload)));
    try {
      await client.connect();
      await reach.ask(client, () => client.query(PREPARE));
      await this.#heartbeat.beat(connectionOf(client, reach));
    } catch (error) {
      live = false;
      client.end().catch(() => {});
      throw error;
    }
    if (!live) throw new Error('the connection to the database ended');
    if (this.#closed) {
      live = false;
      await client.end();
      return;
    }
    this.#client = client;
    reach.answered();
    this.#beatSoon(client, lost);
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#stopBeating();
    const client = this.#client;
    this.#client = undefined;
    if (!client) return;
    const leaving = this.#heartbeat.leave(connectionOf(client, this.#connections.reach));
    await atMost(
      FAREWELL_MS,
      leaving.catch(() => {}),
    );
    await client.end().catch(() => {});
  }

  #beatSoon(client: Client, lost: (error: unknown) => void): void {
    this.#stopBeating = later(BEAT_MS, () => {
      this.#beat(client).then(() => {
        if (this.#client === client) this.#beatSoon(client, lost);
      }, lost);
    });
  }

  async #beat(client: Client): Promise<void> {
    const silent = await this.#heartbeat.beat(connectionOf(client, this.#connections.reach));
    for (const dead of silent) {
      if (this.#client === client) this.#events.nodeDied(dead).catch(this.#events.failed);
    }
  }

  #lose(client: Client, error: unknown): void {
    if (this.#closed || this.#client !== client) return;
    this.#client = undefined;
    this.#stopBeating();
    client.end().catch(() => {});
    this.#events.failed(error);
    void this.#reconnect();
  }

  async #reconnect(): Promise<void> {
    for (let wait = FIRST_PAUSE_MS; !this.#closed; wait = Math.min(wait * 2, LONGEST_PAUSE_MS)) {
      try {
        await this.connect();
        if (!this.#closed) this.#events.resumed();
        return;
      } catch {
        await pause(wait);
      }
    }
  }
}
