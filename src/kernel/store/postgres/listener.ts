import type { Client } from 'pg';
import { later, pause } from '../../time/timers.ts';
import { clientOptions, loadDriver } from './connection.ts';
import { CHANNEL, type Notice, readNotice } from './notices.ts';

const LONGEST_PAUSE_MS = 5000;
const FIRST_PAUSE_MS = 100;
/** A connection can die without a word; asking tells. */
const HEARTBEAT_MS = 5000;

export interface ListenerEvents {
  notice(notice: Notice): void;
  /** The connection is there again, and whatever was said meanwhile is lost. */
  resumed(): void;
  failed(error: unknown): void;
}

/** Hears what the other nodes say, over a connection of its own that it restores when it breaks. */
export class Listener {
  readonly #url: string;
  readonly #events: ListenerEvents;
  #client: Client | undefined;
  #stopHeartbeat: () => void = () => {};
  #closed = false;

  constructor(url: string, events: ListenerEvents) {
    this.#url = url;
    this.#events = events;
  }

  /** While this is false, nobody tells this node what became stale. */
  get connected(): boolean {
    return this.#client !== undefined;
  }

  async connect(): Promise<void> {
    const pg = await loadDriver();
    const client = new pg.Client(clientOptions(this.#url));
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
      await client.query(`LISTEN ${CHANNEL}`);
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
    this.#heartbeat(client, lost);
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#stopHeartbeat();
    const client = this.#client;
    this.#client = undefined;
    await client?.end().catch(() => {});
  }

  #heartbeat(client: Client, lost: (error: unknown) => void): void {
    this.#stopHeartbeat = later(HEARTBEAT_MS, () => {
      const giveUp = later(HEARTBEAT_MS, () => lost(new Error('the database stopped answering')));
      client.query('SELECT 1').then(
        () => {
          giveUp();
          if (this.#client === client) this.#heartbeat(client, lost);
        },
        (error: unknown) => {
          giveUp();
          lost(error);
        },
      );
    });
  }

  #lose(client: Client, error: unknown): void {
    if (this.#closed || this.#client !== client) return;
    this.#client = undefined;
    this.#stopHeartbeat();
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
