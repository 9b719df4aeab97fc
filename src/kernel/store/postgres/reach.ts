import { Socket } from 'node:net';
import type { ClientBase } from 'pg';
import { every, later, nextTurn, processTime } from '../../time/timers.ts';
import { StoreError } from '../errors.ts';
import type { StoreHealth } from '../types.ts';
import { clientOptions, codeOf, isLostConnection, loadDriver, placeOf, unreachable } from './connection.ts';

export interface ReachSettings {
  readonly url: string;
  /** A database that answers nothing at all for so long counts as gone. */
  readonly silenceMs: number;
  /** Told when the database is found to be gone, and when it answers again. */
  readonly changed: (health: StoreHealth) => void;
}

/** Something that was asked of the database, on a connection of its own. */
interface Asked {
  readonly client: ClientBase;
  /** How many looks it may wait for its answer. */
  readonly patience: number;
  looks: number;
}

/** Looks within the time after which a silent database counts as gone. */
const LOOKS = 20;
/** One answer may take longer than this many silences only where it was announced. */
const PATIENCE_FACTOR = 7;
/** Health reports a silence of this length, long before calls are refused. */
const NOTICED_MS = 1000;
const PROBE_EVERY_MS = 250;
const LONGEST_PROBE_MS = 2000;

/**
 * Whether the database answers. Time is counted in looks that this process gets to make rather than by the clock: one that was itself held
 * up finds all that it has missed in its next turn, and must not blame the database for it.
 *
 * While the database is gone, calls are refused at once, and one connection at a time tries whether it is back.
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

  /** For connections whose sockets are to be closed when the database is gone: nobody would answer on them. */
  readonly stream = (): Socket => {
    const socket = new Socket();
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
    return socket;
  };

  /** Throws while the database is known to be gone. */
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

  /** Waits for an answer; `patient` where it may take any time as long as the database answers others. */
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

  /** No connection was to be had. */
  failed(error: unknown): void {
    if (isLostConnection(error)) this.#fall(unreachable(this.#settings.url, error));
  }

  /** Somebody has got an answer by a connection of their own. */
  answered(): void {
    this.#silentLooks = 0;
    if (this.#gone) this.#rise();
  }

  /** Closes every connection that is left, whatever is under way on it. */
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
      // The database is there, this connection is not: with a question under way, ending it closes its socket.
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
      // Whoever says that there are too many connections, or that the password is wrong, is there.
      if (isLostConnection(error) || codeOf(error) === '') {
        if (this.#gone && !this.#closed) this.#probeSoon();
        return;
      }
    }
    client.end().catch(() => {});
    if (this.#gone && !this.#closed) this.#rise();
  }
}

/** The types of the driver do not say that clients of a pool can be ended too. */
function cutOff(client: ClientBase): void {
  if ('end' in client && typeof client.end === 'function') client.end(() => {});
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
