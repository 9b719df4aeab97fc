import { errorTable } from '../../../kernel/http/index.ts';

export const controlErrors = errorTable({
  DatasetNotFound: [404, "There is no dataset '{id}'."],
  NotStreaming: [
    409,
    "The dataset '{id}' has the mode {mode}. Rows are shown live of datasets with the mode PushStreaming or Streaming.",
  ],
  BadCursor: [400, "The Last-Event-ID '{cursor}' is no cursor of this jar."],
});
