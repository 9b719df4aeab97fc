export type ODataErrorCode =
  | 'Syntax' // cannot be parsed
  | 'TooLong' // too many characters
  | 'TooDeep' // too deeply nested
  | 'TooComplex' // too many parts
  | 'UnknownProperty'
  | 'UnknownFunction'
  | 'NotSupported' // valid OData that this list does not support
  | 'TypeMismatch' // a comparison of incompatible types, or a function argument of the wrong type
  | 'InvalidValue' // an invalid literal or number
  | 'InvalidToken'; // a skip token that is not from this server, or belongs to another list

const QUOTED = 40;

/** A mistake in a query option, with its position. API families map it to their own code and shape. */
export class ODataError extends Error {
  readonly code: ODataErrorCode;
  /** The option, such as `$filter`. */
  readonly option: string;
  /** Zero-based offset in the option's text. */
  readonly position: number | undefined;

  constructor(code: ODataErrorCode, option: string, message: string, position?: number) {
    // The message quotes the request, which may contain a lone surrogate or be cut within a pair.
    super(message.toWellFormed());
    this.name = 'ODataError';
    this.code = code;
    this.option = option;
    this.position = position;
  }
}

/** `expected a value at position 5, before 'is x'`. */
export function errorAt(
  code: ODataErrorCode,
  option: string,
  source: string,
  position: number,
  problem: string,
): ODataError {
  return new ODataError(code, option, `${problem} at position ${position}, ${place(source, position)}`, position);
}

function place(source: string, position: number): string {
  const rest = source.slice(position, position + QUOTED + 1).toWellFormed();
  if (rest === '') return 'at its end';
  return `before '${rest.length > QUOTED ? `${rest.slice(0, QUOTED)}…` : rest}'`;
}
