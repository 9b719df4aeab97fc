/** Settings of an engine in the configuration. */
export interface EngineSettings {
  /** Address of the Docker Engine API: a path, `unix://…` or `http://…`. Detected if absent. */
  readonly socket?: string;
  /**
   * Where ports of Public groups are published: `loopback` gives each group its own loopback address; an IP address is shared by all
   * groups.
   */
  readonly publish?: string;
  /** Folders that replace file shares: `account/share` to path. */
  readonly shares?: Readonly<Record<string, string>>;
  /** Time between asking a process to stop and killing it. */
  readonly stopGraceSeconds?: number;
  /** After a call has waited this long the engine is pinged, and must answer within the same time. */
  readonly timeoutSeconds?: number;
  /** Defaults as `kubectl` finds them. */
  readonly kubernetes?: { readonly kubeconfig?: string; readonly context?: string; readonly namespace?: string };
}

/** On a busy machine Podman takes seconds to answer a ping. */
export const DEFAULT_TIMEOUT_SECONDS = 10;
export const DEFAULT_STOP_GRACE_SECONDS = 10;
