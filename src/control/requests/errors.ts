import { errorTable } from '../../kernel/http/index.ts';

export const requestErrors = errorTable({
  BadFilter: [400, '{reason}'],
  BadEventId: [400, "The Last-Event-ID '{id}' was not given out by the stream of requests."],
  TwoBeginnings: [400, "The stream begins with the last entries ('last') or at a place ('from'), not both."],
});
