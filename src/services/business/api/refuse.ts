import { apiError, ODataError, type ODataErrorCode } from '../../../kernel/odata/index.ts';

/** The application's codes for mistakes in query options. */
const CODES: Partial<Record<ODataErrorCode, string>> = {
  UnknownProperty: 'BadRequest',
  UnknownFunction: 'BadRequest',
  NotSupported: 'Application_FilterErrorException',
  TypeMismatch: 'BadRequest',
  InvalidValue: 'BadRequest_InvalidRequestUrl',
  InvalidToken: 'SkipTokenIsNoLongerValid',
};

const queryCode = ({ code }: ODataError): string => CODES[code] ?? 'BadRequest';

/** Runs what reads query options; a mistake in them becomes the application's error for it. */
export async function refusingQuery<R>(run: () => Promise<R>): Promise<R> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof ODataError) throw apiError(error, queryCode(error));
    throw error;
  }
}
