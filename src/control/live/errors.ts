import { errorTable } from '../../kernel/http/index.ts';

export const liveErrors = errorTable({
  BadEventId: [400, "The Last-Event-ID '{id}' was not issued by the live stream (GET /_jar/live)."],
});
