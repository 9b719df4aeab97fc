/** What a route asks its callers to be allowed, and what the route does. */
export interface Permission {
  /** `Vendor.EventGrid/topics/write` */
  readonly action: string;
  readonly summary: string;
}

/** The permissions that the routes of all services ask for. */
export interface Permissions {
  /** Of one namespace, each once. Opens the services that offer types in it, so not within a transaction. */
  of(namespace: string): Promise<readonly Permission[]>;
}
