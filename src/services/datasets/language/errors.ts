/** Where something stands in the text of a query or a measure; both count from 1, columns in UTF-16 units. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** What is wrong with a query or a measure, found before it runs or while it does. */
export class QueryError extends Error {
  readonly position: Position | undefined;

  constructor(message: string, position?: Position) {
    super(message);
    this.position = position;
  }
}
