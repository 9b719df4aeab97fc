export type ODataErrorCode =
  | 'Syntax' // it cannot be read
  | 'TooLong' // more characters than are taken
  | 'TooDeep' // one thing inside another inside another …
  | 'TooComplex' // too many parts
  | 'UnknownProperty'
  | 'UnknownFunction'
  | 'NotSupported' // OData has it, this list has not
  | 'TypeMismatch' // a number compared with a text, a function of something it does not take
  | 'InvalidValue' // a literal or number that cannot be
  | 'InvalidToken'; // a skip token that was not made here, or for another list

const QUOTED = 40;

/** What is wrong with a query option, and where. The families give it their own code and shape. */
export class ODataError extends Error {
  readonly code: ODataErrorCode;
  /** The option, as `$filter`. */
  readonly option: string;
  /** The offset in the option's text, from 0. */
  readonly position: number | undefined;

  constructor(code: ODataErrorCode, option: string, message: string, position?: number) {
    // It quotes what was sent, which may be cut within a pair of surrogates, or hold half of one.
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
