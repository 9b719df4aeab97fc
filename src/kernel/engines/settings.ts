/** What the user of an engine may say about it in the configuration. */
export interface EngineSettings {
  /** Where the Docker Engine API is: a path, `unix://…` or `http://…`; found by itself when absent. */
  readonly socket?: string;
  /** Where ports of Public groups are published: `loopback` gives each group a loopback address of its own, an address is shared by all. */
  readonly publish?: string;
  /** Folders that stand for file shares: `account/share` to a path. */
  readonly shares?: Readonly<Record<string, string>>;
  /** Between asking a process to end and forcing it. */
  readonly stopGraceSeconds?: number;
  /** A call to the engine that has waited so long has it asked by a ping, which it must answer within the same time. */
  readonly timeoutSeconds?: number;
  /** As `kubectl` finds them when absent. */
  readonly kubernetes?: { readonly kubeconfig?: string; readonly context?: string; readonly namespace?: string };
}

/** Podman on a busy machine takes seconds for a ping. */
export const DEFAULT_TIMEOUT_SECONDS = 10;
export const DEFAULT_STOP_GRACE_SECONDS = 10;
