import { errorTable } from '../../kernel/http/index.ts';

export const requestErrors = errorTable({
  BadFilter: [400, '{reason}'],
  BadEventId: [400, "The Last-Event-ID '{id}' was not issued by the stream of requests."],
  RequestNotFound: [404, "There is no request '{id}'; GET /_jar/requests lists the ids."],
  RequestOfOtherProcess: [
    404,
    "The request '{id}' was received by another process of the jar: by an earlier run, or by another node. Each process keeps only its own requests.",
  ],
  RequestForgotten: [404, "The request '{id}' is no longer kept: newer entries have taken its place."],
  NotRepeatable: [409, "The request '{id}' cannot be sent again: {reason}."],
  OutboundEntry: [
    409,
    "'{id}' is a delivery, which the jar sent itself; POST /_jar/deliveries/{delivery}/replay sends it again.",
  ],
  NoFreshToken: [409, "There is no fresh token for the request '{id}': {reason}."],
  TwoBeginnings: [400, "The stream can start with the last entries ('last') or after an entry ('from'), but not both."],
});
