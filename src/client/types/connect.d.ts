import type { Jar } from './jar.d.ts';

export interface ConnectOptions {
  /** The HTTP or HTTPS address of the jar. `http://127.0.0.1:7400` unless given, where `cloudjar start` listens. */
  readonly url?: string;
  /** `CLOUDJAR_ADMIN_KEY` of the jar, else the content of `admin.key` in its data folder. Only `health`, `ready` and `ca` work without it. */
  readonly adminKey?: string;
  /** The certificate (PEM) of the jar's authority, for an `https:` address. */
  readonly ca?: string | Uint8Array;
}

/** A jar that runs elsewhere: in another process, on another machine, in a container. */
export interface ConnectedJar extends Jar {
  readonly clock: {
    now(): Promise<Date>;
    advance(by: string | number): ReturnType<Jar['clock']['advance']>;
  };
  /** The certificate (PEM) that HTTPS clients of the jar have to trust. */
  ca(): Promise<string>;
  /** Waits until the jar can answer calls: up to 30 seconds of real time unless given. */
  ready(options?: { readonly timeoutMs?: number }): Promise<void>;
}

/** A client of the control API of a jar. Sends nothing until it is used, and reads neither environment nor files. */
export function connectJar(options?: ConnectOptions): ConnectedJar;

export namespace connectJar {
  /** Connects by `CLOUDJAR_URL` and `CLOUDJAR_ADMIN_KEY` of the environment, and by the certificate in the file that `CLOUDJAR_CA` names. */
  function fromEnv(env?: Readonly<Record<string, string | undefined>>): ConnectedJar;
}
