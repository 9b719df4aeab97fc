import { errorTable } from '../../../kernel/http/index.ts';

/** Errors of the ingestion endpoint. SDKs discard logs rejected with these statuses: they retry only after 408, 429 and 5xx. */
export const logErrors = errorTable({
  AppSecretDenied: [401, "The header 'App-Secret' does not name an app."],
  InvalidInstallId: [400, "The header 'Install-ID' must be a GUID."],
  InvalidLogContainer: [400, '{reason}'],
  NoValidLogsFoundInLogContainer: [400, 'None of the logs is valid: {reason}'],
  UnsupportedContentEncoding: [415, "The content encoding '{encoding}' is not supported; send gzip, or none."],
  LogContainerTooLarge: [413, 'The unpacked logs have more than {maximum} bytes.'],
});
