import { errorTable } from '../../../kernel/http/index.ts';

/** Errors of the publishing API. */
export const publishErrors = errorTable({
  BadRequest: [400, '{reason}'],
  Unauthorized: [401, "The request is not authorized for '{endpoint}': {reason}"],
  Forbidden: [403, "The request to '{endpoint}' is refused: {reason}"],
  NotFound: [404, "There is no topic or domain '{name}' in the region '{region}' to publish to."],
  ChannelNotFound: [404, "The partner namespace has no channel '{name}' that leads to a partner topic."],
  PartnerTopicNotActivated: [
    403,
    "The channel '{name}' takes no events: the partner topic that it leads to is {state}. Nothing was published.",
  ],
  UnsupportedMediaType: [415, "The content encoding '{encoding}' is not supported; send the body as it is."],
  TooManyRequests: [429, "'{endpoint}' has reached its rate limit ({title}: {maximum}); {advice}."],
});

/** Code of each mistake in the details of `BadRequest`, whose message names the first one. */
export const INPUT_INVALID = 'InputJsonInvalid';
