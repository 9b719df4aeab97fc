import { Socket } from 'node:net';
import type { ClientBase } from 'pg';
import { every, later, nextTurn, processTime } from '../../time/timers.ts';
import { StoreError } from '../errors.ts';
import type { StoreHealth } from '../types.ts';
import { clientOptions, codeOf, isLostConnection, loadDriver, placeOf, unreachable } from './connection.ts';

export interface ReachSettings {
  readonly url: string;
  /** A database that answers nothing for this long is considered unreachable. */
  readonly silenceMs: number;
  /** Called when the database becomes unreachable, and when it answers again. */
  readonly changed: (health: StoreHealth) => void;
}

/** A pending query on one connection. */
interface Asked {
  readonly client: ClientBase;
  /** The number of checks after which the query's connection is cut. */
  readonly patience: number;
  looks: number;
}

/** Checks per silence interval. */
const LOOKS = 20;
/** How many silence intervals one answer may take, unless the query was made as `patient`. */
const PATIENCE_FACTOR = 7;
/** Health reports a silence of this length, long before calls are refused. */
const NOTICED_MS = 1000;
const PROBE_EVERY_MS = 250;
const LONGEST_PROBE_MS = 2000;

/**
 * Tracks whether the database answers. Silence is measured in checks that this process manages to make, not by the clock: a process that
 * was itself stalled finds all delayed answers in its next turn, and must not blame the database.
 *
 * While the database is unreachable, calls are refused at once, and one connection at a time probes whether it is back.
 */
export class Reach {
  readonly #settings: ReachSettings;
  readonly #sockets = new Set<Socket>();
  readonly #asked = new Set<Asked>();
  #silentLooks = 0;
  #stopLooking: (() => void) | undefined;
  #cancelProbe: (() => void) | undefined;
  #gone: { readonly error: StoreError; readonly since: number } | undefined;
  #closed = false;

  constructor(settings: ReachSettings) {
    this.#settings = settings;
  }

  /** For connections whose sockets are destroyed when the database becomes unreachable, because no answer would arrive on them. */
  readonly stream = (): Socket => {
    const socket = new Socket();
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
    return socket;
  };

  /** Throws while the database is known to be unreachable. */
  check(): void {
    if (this.#gone) throw new StoreError('UNREACHABLE', this.#gone.error.message, { cause: this.#gone.error });
  }

  health(): StoreHealth {
    if (this.#gone) {
      const { error, since } = this.#gone;
      const reason = `the database does not answer; calls have been refused for ${seconds(processTime() - since)}`;
      return { reachable: false, reason, detail: error.message };
    }
    const silentMs = this.#silentLooks * this.#lookMs;
    if (silentMs < NOTICED_MS) return { reachable: true };
    return { reachable: false, ...this.#silence(silentMs) };
  }

  /** Waits for an answer; `patient` if it may take any time while the database answers other queries. */
  async ask<R>(client: ClientBase, question: () => Promise<R>, patient = false): Promise<R> {
    const asked = { client, patience: patient ? Number.POSITIVE_INFINITY : LOOKS * PATIENCE_FACTOR, looks: 0 };
    this.#asked.add(asked);
    this.#stopLooking ??= every(this.#lookMs, () => nextTurn(() => this.#look()));
    try {
      const answer = await question();
      this.#silentLooks = 0;
      return answer;
    } catch (error) {
      if (!isLostConnection(error)) this.#silentLooks = 0;
      throw error;
    } finally {
      this.#asked.delete(asked);
      if (this.#asked.size === 0) this.#rest();
    }
  }

  /** Call when no connection could be opened. */
  failed(error: unknown): void {
    if (isLostConnection(error)) this.#fall(unreachable(this.#settings.url, error));
  }

  /** Call when a connection outside of the pool has got an answer. */
  answered(): void {
    this.#silentLooks = 0;
    if (this.#gone) this.#rise();
  }

  /** Closes all remaining connections, including those with running queries. */
  close(): void {
    this.#closed = true;
    this.#rest();
    this.#cancelProbe?.();
    for (const socket of this.#sockets) socket.destroy();
  }

  get #lookMs(): number {
    return this.#settings.silenceMs / LOOKS;
  }

  #silence(ms: number): { reason: string; detail: string } {
    const silence = `has not answered for ${seconds(ms)}`;
    return { reason: `the database ${silence}`, detail: `the database at ${placeOf(this.#settings.url)} ${silence}` };
  }

  #rest(): void {
    this.#stopLooking?.();
    this.#stopLooking = undefined;
    this.#silentLooks = 0;
  }

  #look(): void {
    if (this.#asked.size === 0) return;
    this.#silentLooks += 1;
    if (this.#silentLooks >= LOOKS) {
      this.#fall(new StoreError('UNREACHABLE', this.#silence(this.#settings.silenceMs).detail));
      return;
    }
    for (const asked of this.#asked) {
      asked.looks += 1;
      // The database answers, this connection does not. Ending a connection with a pending query closes its socket.
      if (asked.looks > asked.patience) cutOff(asked.client);
    }
  }

  #fall(error: StoreError): void {
    if (this.#gone || this.#closed) return;
    this.#gone = { error, since: processTime() };
    this.#settings.changed(this.health());
    for (const socket of this.#sockets) socket.destroy();
    this.#probeSoon();
  }

  #rise(): void {
    this.#gone = undefined;
    this.#cancelProbe?.();
    this.#cancelProbe = undefined;
    this.#settings.changed(this.health());
  }

  #probeSoon(): void {
    this.#cancelProbe = later(PROBE_EVERY_MS, () => void this.#probe());
  }

  async #probe(): Promise<void> {
    const pg = await loadDriver();
    const patience = Math.min(this.#settings.silenceMs, LONGEST_PROBE_MS);
    const options = { ...clientOptions(this.#settings.url), connectionTimeoutMillis: patience, stream: this.stream };
    const client = new pg.Client(options);
    client.on('error', () => {});
    try {
      await client.connect();
    } catch (error) {
      // A server that reports too many connections, or a wrong password, is reachable.
      if (isLostConnection(error) || codeOf(error) === '') {
        if (this.#gone && !this.#closed) this.#probeSoon();
        return;
      }
    }
    client.end().catch(() => {});
    if (this.#gone && !this.#closed) this.#rise();
  }
}

/** The driver's types do not declare that pooled clients can be ended too. */
function cutOff(client: ClientBase): void {
  if ('end' in client && typeof client.end === 'function') client.end(() => {});
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
