import { ConfigError } from './config.ts';

export interface ListenPlace {
  readonly host: string;
  readonly port: number;
  /** The flag that sets another port, for example `--port`. */
  readonly flag: string;
}

/** Explains to the user why a port cannot be listened on. */
export function listenError(error: NodeJS.ErrnoException, { host, port, flag }: ListenPlace): ConfigError {
  const reasons: Record<string, string> = {
    EADDRINUSE: `port ${port} on ${host} is already in use; stop the program that uses it or choose another port with ${flag} (0 picks a free one)`,
    EACCES: `port ${port} needs more privileges; choose a port above 1023 with ${flag}`,
    EADDRNOTAVAIL: `${host} is not an address of this machine; choose another with --host`,
    ENOTFOUND: `the host name ${host} cannot be resolved; choose another with --host`,
  };
  const reason = reasons[error.code ?? ''] ?? `cannot listen on ${host}:${port}: ${error.message}`;
  return new ConfigError(reason, { cause: error });
}
