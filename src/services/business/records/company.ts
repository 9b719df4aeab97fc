/** A company as the rest of the application needs it. */
export interface Company {
  /** The system id of its record, in lower case. */
  readonly id: string;
  /** What stands before its records: short, and no other company's, of no tenant. */
  readonly key: string;
  readonly name: string;
  readonly tenantId: string;
}
