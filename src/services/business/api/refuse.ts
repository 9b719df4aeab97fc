import { apiError, ODataError, type ODataErrorCode } from '../../../kernel/odata/index.ts';

/** The application's error codes for mistakes in query options. */
const CODES: Partial<Record<ODataErrorCode, string>> = {
  UnknownProperty: 'BadRequest',
  UnknownFunction: 'BadRequest',
  NotSupported: 'Application_FilterErrorException',
  TypeMismatch: 'BadRequest',
  InvalidValue: 'BadRequest_InvalidRequestUrl',
  InvalidToken: 'SkipTokenIsNoLongerValid',
};

const queryCode = ({ code }: ODataError): string => CODES[code] ?? 'BadRequest';

/** Runs `run`; converts errors in query options to errors of the application. */
export async function refusingQuery<R>(run: () => Promise<R>): Promise<R> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof ODataError) throw apiError(error, queryCode(error));
    throw error;
  }
}
