/** The properties of a company that the rest of the application needs. */
export interface Company {
  /** The system id of its record, in lower case. */
  readonly id: string;
  /** Prefix of its records: short, and unique across companies and tenants. */
  readonly key: string;
  readonly name: string;
  readonly tenantId: string;
}
