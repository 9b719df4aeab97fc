import { errorTable } from '../../../kernel/http/index.ts';

export const controlErrors = errorTable({
  DatasetNotFound: [404, "There is no dataset '{id}'."],
  NotStreaming: [
    409,
    "The dataset '{id}' has the mode {mode}. The live stream needs a dataset with the mode PushStreaming or Streaming.",
  ],
  BadCursor: [400, "The Last-Event-ID '{cursor}' is not a cursor of this jar."],
});
