/** The permission that a route requires, and a description of the route. */
export interface Permission {
  /** `Vendor.EventGrid/topics/write` */
  readonly action: string;
  readonly summary: string;
}

/** The permissions of the routes of all services. */
export interface Permissions {
  /** The distinct permissions of a namespace. Opens the services that offer types in it, so it must not be called in a transaction. */
  of(namespace: string): Promise<readonly Permission[]>;
}
