import { errorTable } from '../../kernel/http/index.ts';

export const requestErrors = errorTable({
  BadFilter: [400, '{reason}'],
  BadEventId: [400, "The Last-Event-ID '{id}' was not issued by the stream of requests."],
  TwoBeginnings: [400, "The stream can start with the last entries ('last') or after an entry ('from'), but not both."],
});
