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
interface PendingQuery {
  readonly client: ClientBase;
  /** The number of checks after which the query's connection is cut. */
  readonly patience: number;
  checks: number;
}

/** Checks per silence interval. */
const CHECKS = 20;
/** How many silence intervals one answer may take, unless the query was made as `patient`. */
const PATIENCE_FACTOR = 7;
/** Health reports a silence of this length, long before calls are refused. */
const REPORTED_SILENCE_MS = 1000;
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
  readonly #pending = new Set<PendingQuery>();
  #silentChecks = 0;
  #cancelChecks: (() => void) | undefined;
  #cancelProbe: (() => void) | undefined;
  #down: { readonly error: StoreError; readonly since: number } | undefined;
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
    if (this.#down) throw new StoreError('UNREACHABLE', this.#down.error.message, { cause: this.#down.error });
  }

  health(): StoreHealth {
    if (this.#down) {
      const { error, since } = this.#down;
      const reason = `the database does not answer; calls have been refused for ${seconds(processTime() - since)}`;
      return { reachable: false, reason, detail: error.message };
    }
    const silentMs = this.#silentChecks * this.#checkMs;
    if (silentMs < REPORTED_SILENCE_MS) return { reachable: true };
    return { reachable: false, ...this.#silence(silentMs) };
  }

  /** Waits for an answer; `patient` if it may take any time while the database answers other queries. */
  async ask<R>(client: ClientBase, question: () => Promise<R>, patient = false): Promise<R> {
    const pending = { client, patience: patient ? Number.POSITIVE_INFINITY : CHECKS * PATIENCE_FACTOR, checks: 0 };
    this.#pending.add(pending);
    this.#cancelChecks ??= every(this.#checkMs, () => nextTurn(() => this.#checkSilence()));
    try {
      const answer = await question();
      this.#silentChecks = 0;
      return answer;
    } catch (error) {
      if (!isLostConnection(error)) this.#silentChecks = 0;
      throw error;
    } finally {
      this.#pending.delete(pending);
      if (this.#pending.size === 0) this.#stopChecks();
    }
  }

  /** Call when no connection could be opened. */
  failed(error: unknown): void {
    if (isLostConnection(error)) this.#markDown(unreachable(this.#settings.url, error));
  }

  /** Call when a connection outside of the pool has got an answer. */
  answered(): void {
    this.#silentChecks = 0;
    if (this.#down) this.#markUp();
  }

  /** Closes all remaining connections, including those with running queries. */
  close(): void {
    this.#closed = true;
    this.#stopChecks();
    this.#cancelProbe?.();
    for (const socket of this.#sockets) socket.destroy();
  }

  get #checkMs(): number {
    return this.#settings.silenceMs / CHECKS;
  }

  #silence(ms: number): { reason: string; detail: string } {
    const silence = `has not answered for ${seconds(ms)}`;
    return { reason: `the database ${silence}`, detail: `the database at ${placeOf(this.#settings.url)} ${silence}` };
  }

  #stopChecks(): void {
    this.#cancelChecks?.();
    this.#cancelChecks = undefined;
    this.#silentChecks = 0;
  }

  #checkSilence(): void {
    if (this.#pending.size === 0) return;
    this.#silentChecks += 1;
    if (this.#silentChecks >= CHECKS) {
      this.#markDown(new StoreError('UNREACHABLE', this.#silence(this.#settings.silenceMs).detail));
      return;
    }
    for (const pending of this.#pending) {
      pending.checks += 1;
      // The database answers, this connection does not. Ending a connection with a pending query closes its socket.
      if (pending.checks > pending.patience) cutOff(pending.client);
    }
  }

  #markDown(error: StoreError): void {
    if (this.#down || this.#closed) return;
    this.#down = { error, since: processTime() };
    this.#settings.changed(this.health());
    for (const socket of this.#sockets) socket.destroy();
    this.#probeSoon();
  }

  #markUp(): void {
    this.#down = undefined;
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
        if (this.#down && !this.#closed) this.#probeSoon();
        return;
      }
    }
    client.end().catch(() => {});
    if (this.#down && !this.#closed) this.#markUp();
  }
}

/** The driver's types do not declare that pooled clients can be ended too. */
function cutOff(client: ClientBase): void {
  if ('end' in client && typeof client.end === 'function') client.end(() => {});
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
