import type { Jar } from './jar.d.ts';

export interface ConnectOptions {
  /** The HTTP or HTTPS address of the jar. Default: `http://127.0.0.1:7400`, the default address of `cloudjar start`. */
  readonly url?: string;
  /** The jar's `CLOUDJAR_ADMIN_KEY`, or the content of `admin.key` in its data folder. Only `health`, `ready` and `ca` work without it. */
  readonly adminKey?: string;
  /** The CA certificate (PEM) of the jar, for an `https:` address. */
  readonly ca?: string | Uint8Array;
}

/** A jar that runs elsewhere: in another process, on another machine, in a container. */
export interface ConnectedJar extends Jar {
  readonly clock: {
    now(): Promise<Date>;
    advance(by: string | number): ReturnType<Jar['clock']['advance']>;
  };
  /** The CA certificate (PEM) that HTTPS clients of the jar must trust. */
  ca(): Promise<string>;
  /** Waits until the jar can answer calls. Default: up to 30 seconds of real time. */
  ready(options?: { readonly timeoutMs?: number }): Promise<void>;
}

/** A client of the control API of a jar. Sends nothing until a method is called, and reads neither environment nor files. */
export function connectJar(options?: ConnectOptions): ConnectedJar;

export namespace connectJar {
  /**
   * Connects with `CLOUDJAR_URL` and `CLOUDJAR_ADMIN_KEY` from the environment, and the CA certificate in the file that `CLOUDJAR_CA`
   * names.
   */
  function fromEnv(env?: Readonly<Record<string, string | undefined>>): ConnectedJar;
}
