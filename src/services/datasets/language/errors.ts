/** A position in the text of a query or a measure. Both numbers count from 1; columns count UTF-16 units. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** An error in a query or a measure, found when it is compiled or when it runs. */
export class QueryError extends Error {
  readonly position: Position | undefined;

  constructor(message: string, position?: Position) {
    super(message);
    this.position = position;
  }
}
